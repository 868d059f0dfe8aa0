"""What fields and types mean that mean the same wherever they stand, for the contract.

What is special about one of them is said where it is declared, and counts for more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

ANY_FIELD: Final = {
    "actions": "The action card of each seat.",
    "border": "Number of the border, from 0: it lies between the landscape of that number and the next one.",
    "building": "What stands on it; null if nothing does.",
    "cards": "All of them.",
    "column": "Number of the column, from 0.",
    "columns": "Numbers of the two columns, from 0.",
    "conditions": "All that a mission can ask for.",
    "count": "How many.",
    "created_at": "When it was created.",
    "discard_pile_size": "Cards in the discard pile.",
    "draw_pile_size": "Cards left in the draw pile.",
    "eagle": "The strength of that house.",
    "finished_at": "When it ended; null before.",
    "from": "Number of the landscape that it left, from 0.",
    "goal_stack_size": "Goal cards that are left for later rounds.",
    "hand_size": "Cards in hand.",
    "intel_limit": "Intel tokens with which a role card is turned up.",
    "items": "In the order of the list.",
    "landscape": "Number of the landscape, from 0.",
    "match": "Id of the match.",
    "mission_deck_size": "Missions left in the deck.",
    "missions_needed": "Successes with which the agents win.",
    "owner": "The seat that it belongs to.",
    "points": "How many points.",
    "rose": "The strength of that house.",
    "round": "Number of the round, from 1.",
    "rounds": "How many rounds are played.",
    "rules_version": "Which version of the rules it is played by.",
    "score": "The points of the seat so far.",
    "scores": "The points of each seat.",
    "seat": "Number of the seat, from 0.",
    "slot": "Place within the column, from 0.",
    "start_seat": "The seat that begins.",
    "started_at": "When it started; null before.",
    "targets": "The seats that are voted for.",
    "to": "Number of the landscape that it came to, from 0.",
    "trick": "Number of the trick, from 1.",
    "tricks": "How many tricks are played.",
    "you": "What you alone learn by it, beyond the others; null if that is nothing.",
}
"""By the field's name."""

ONE_FIELD: Final = {
    "ActionDrafted.middle_size": "Action cards left in the middle.",
    "ConflictResolved.winner": "The house that won; null after equal totals.",
    "DealtRoleAndHand.hand": "Your cards, sorted.",
    "DrawnMissions.missions": "The missions to choose from.",
    "DrawnSupplies.cards": "The cards that you drew.",
    "Game.game": "Id of the game.",
    "Guest.name": "What other players see.",
    "InsideJobCard.rank": "The number on the card.",
    "InsideJobComponents.intel_tokens": "How many intel tokens there are.",
    "InsideJobComponents.roles": "All role cards.",
    "InsideJobComponents.setups": "What depends on the number of players.",
    "InsideJobComponents.start_intel": "Intel tokens of each seat at the beginning.",
    "InsideJobComponents.suits": "All colours.",
    "InsideJobDealt.supply": "Intel tokens in the supply.",
    "InsideJobMatch.name": "What the lobby shows; null if it has no name.",
    "InsideJobMatch.seats": "Who sits where, by seat.",
    "InsideJobReplay.seats": "Who sat where, by seat.",
    "InsideJobSetup.seats": "With so many players.",
    "InsideJobTable.seats": "What lies before each seat.",
    "InsideJobTrick.winner": "The seat that won it.",
    "IntelStolen.victim": "The seat that it was taken from.",
    "KabaleComponents.categories": "All symbols.",
    "KabaleComponents.goals": "All goal cards.",
    "KabaleDealt.seats": "How many play.",
    "KabaleMatch.name": "What the lobby shows; null if it has no name.",
    "KabaleMatch.seats": "Who sits where, by seat.",
    "KabaleReplay.seats": "Who sat where, by seat.",
    "KabaleSlot.face_up": "Whether the card lies open.",
    "KabaleTable.seats": "What lies before each seat.",
    "OfferedActions.actions": "The action cards to choose from.",
    "PartnerChosen.partner": "The seat that was chosen.",
    "PlayCard.wager": "Whether an intel token is wagered.",
    "Player.name": "What other players see.",
    "Problem.status": "The status of the answer.",
    "Problem.type": "Always about:blank: what it is, `code` tells.",
    "VerraeterComponents.actions": "All action cards.",
    "VerraeterComponents.building_sides": "Both sides of a building tile.",
    "VerraeterComponents.buildings_per_player": "Building tiles of each player.",
    "VerraeterComponents.houses": "Both houses.",
    "VerraeterComponents.hand_limit": "Supply cards in a hand, at most.",
    "VerraeterComponents.lengths": "How long a match is, by the number of players.",
    "VerraeterComponents.max_draws_per_round": "Supply cards that a seat may draw in a round, at most.",
    "VerraeterComponents.max_trading_posts": "Trading posts of a player, at most.",
    "VerraeterComponents.supplies": "All supply cards.",
    "VerraeterComponents.trading_post_max_points": "What trading posts bring at the end, at most.",
    "VerraeterDealt.strategist_seat": "The seat that holds the Strategy card.",
    "VerraeterGains.landscapes": "Points for landscapes.",
    "VerraeterGains.strategist": "Points for the Strategy card.",
    "VerraeterGains.trading_posts": "Points for trading posts.",
    "VerraeterGains.traitor": "Points of the Traitor.",
    "VerraeterLastConflict.houses": "The house that each seat fought for.",
    "VerraeterLastConflict.played": "The supply cards that each seat played.",
    "VerraeterLength.seats": "With so many players.",
    "VerraeterMatch.name": "What the lobby shows; null if it has no name.",
    "VerraeterMatch.seats": "Who sits where, by seat.",
    "VerraeterReplay.seats": "Who sat where, by seat.",
    "VerraeterTable.seats": "What lies before each seat.",
    "VoteOpened.voters": "The seats that vote.",
    "VotesShown.votes": "What each seat voted; null if it had no vote.",
}
"""By the type's name and the field's."""

TYPES: Final = {
    "EventPage": "A part of a match's log.",
    "GameDetails": "A game with all that it is made of.",
    "GameId": "A game.",
    "GameOptions": "What may be chosen for a match, and what is chosen if nobody does.",
    "InsideJobAllegiance": "A side of Inside Job.",
    "InsideJobCardId": "A card of Inside Job.",
    "InsideJobConditionId": "What a mission of Inside Job asks for.",
    "InsideJobDecisionKind": "What Inside Job asks a seat for.",
    "InsideJobEnding": "Why a match of Inside Job is over.",
    "InsideJobEvent": "Something that happened in a match of Inside Job.",
    "InsideJobMissionId": "A mission of Inside Job.",
    "InsideJobMove": "An answer to a decision of Inside Job.",
    "InsideJobPhase": "What a match of Inside Job waits for.",
    "InsideJobRiskReveal": "Whose reveal makes the agents win when the Risk Agent is in play.",
    "InsideJobRoleId": "A role of Inside Job.",
    "InsideJobSpecialRole": "A special role of Inside Job.",
    "InsideJobSuit": "A colour of Inside Job's cards.",
    "InsideJobTurnedUpBy": "Why a role card is turned up.",
    "InsideJobVoteTie": "Which ties for most votes help the agents.",
    "InsideJobWinner": "Who can win a match of Inside Job.",
    "KabaleAbilityKind": "What the owner of a Traitor or a Disguise may do.",
    "KabaleCategory": "A symbol of Kabale und Hiebe's cards.",
    "KabaleCharacterId": "A character of Kabale und Hiebe.",
    "KabaleDecidedBy": "What settles who wins a column.",
    "KabaleDecisionKind": "What Kabale und Hiebe asks a seat for.",
    "KabaleEvent": "Something that happened in a match of Kabale und Hiebe.",
    "KabaleGoalId": "A goal card of Kabale und Hiebe.",
    "KabaleKnockedOutBy": "Who knocks a card out.",
    "KabaleMove": "An answer to a decision of Kabale und Hiebe.",
    "KabalePhase": "What a match of Kabale und Hiebe waits for.",
    "KabaleRoundEnding": "Why a round of Kabale und Hiebe is over.",
    "KabaleScoringStep": "What happens while a column is scored.",
    "KabaleSetScoring": "What all six symbols together score.",
    "KabaleTiming": "When a card of Kabale und Hiebe acts.",
    "KabaleTraitorSwap": "Which goals the Traitor swaps.",
    "MatchCard": "What there is to know of a match without playing it.",
    "MatchStatus": "How far a match is.",
    "Move": "An answer to a decision of any game.",
    "NewMatch": "A match as it is wished for.",
    "Replay": "A match that is over, secrets included.",
    "StartedMatchStatus": "How far a match is that has started.",
    "VerraeterAction": "An action card of Verräter.",
    "VerraeterDecisionKind": "What Verräter asks a seat for.",
    "VerraeterDrawSource": "What supply cards are drawn for.",
    "VerraeterEarlyEnd": "When a match ends in which a house has lost its last landscape.",
    "VerraeterEnding": "Why a match of Verräter is over.",
    "VerraeterEvent": "Something that happened in a match of Verräter.",
    "VerraeterFirstStrategist": "Who holds the Strategy card in the first round.",
    "VerraeterHouse": "A house of Verräter.",
    "VerraeterLandscapeType": "A kind of landscape of Verräter.",
    "VerraeterMove": "An answer to a decision of Verräter.",
    "VerraeterPhase": "What a match of Verräter waits for.",
    "VerraeterPointSource": "What points are for in Verräter.",
    "VerraeterSide": "A side of Verräter's building tiles.",
    "VerraeterSupplyValue": "The number on a supply card of Verräter.",
    "View": "A match as its viewer may see it.",
    "Visibility": "Who finds a match: anybody, or only those who have its join code.",
}
"""By the type's name."""


def described(schemas: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The same schemas, with a word on the types and fields that nothing is said of where they are declared."""
    for name, text in TYPES.items():
        if name in schemas and "description" not in schemas[name]:
            schemas[name] = {"description": text, **schemas[name]}
    for name, schema in schemas.items():
        for field, entry in schema.get("properties", {}).items():
            said = ONE_FIELD.get(f"{name}.{field}") or ANY_FIELD.get(field)
            if said and not _is_described(schemas, entry):
                schema["properties"][field] = {"description": said, **entry}
    return schemas


def _is_described(schemas: Mapping[str, dict[str, Any]], entry: Mapping[str, Any]) -> bool:
    """Whether something is said of a field; of a union's tag nothing need be."""
    target = schemas.get(entry.get("$ref", "").rsplit("/", 1)[-1], {})
    return "description" in entry or "description" in target or len(entry.get("enum", ())) == 1
