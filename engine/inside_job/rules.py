"""The course of a match of Inside Job: set-up, then trick after trick, and at last the vote.

Four decisions wait for an answer; everything between two answers happens by itself, in :func:`play`. Section numbers
are those of the rules.
"""

from __future__ import annotations

from engine.game import Seat, openly, secretly
from engine.inside_job.components import CARDS, COMPONENTS, NORMAL_MISSION, RISK_MISSIONS, SETUPS, sorted_cards
from engine.inside_job.events import (
    DealtRoleAndHand,
    DiscardedMission,
    DrawnMissions,
    InsideJobDealt,
    InsideJobEnded,
    MissionChosen,
    MissionsDrawn,
    OwnVote,
    PartnerChosen,
    PartnerRole,
    RoleTurnedUp,
    TrickCardPlayed,
    VoteCast,
    VoteOpened,
    VotesShown,
)
from engine.inside_job.ids import Mission, SpecialRole
from engine.inside_job.legality import check
from engine.inside_job.moves import CastVote, ChooseMission, ChoosePartner, InsideJobMove, PlayCard
from engine.inside_job.options import InsideJobOptions
from engine.inside_job.roles import FACE_UP_FROM_THE_START, allowed_sets, role_cards
from engine.inside_job.state import (
    WINNER,
    Ending,
    InsideJobState,
    Play,
    Player,
    holder,
    intel_limit,
    missions_needed,
    tricks,
)
from engine.inside_job.trick import Log, check_end, complete_trick
from engine.inside_job.vote import missing_voters, outcome, voters
from engine.randomness import Stream

RULES_VERSION = 1


# --- section 3: set-up ---


def deal(seats: int, options: InsideJobOptions, random: Stream) -> tuple[InsideJobState, Log]:
    """Set-up: roles, cards, tokens, missions and start player, up to the first decision."""
    special_roles = _roles_in_play(seats, options, random)
    roles = role_cards(special_roles, seats)
    random.shuffle(roles)
    cards = list(CARDS)
    random.shuffle(cards)
    mission_deck = _mission_deck(options, special_roles)
    random.shuffle(mission_deck)
    size = SETUPS[seats].hand
    players = [
        Player(
            role=role,
            hand=sorted_cards(cards[seat * size : (seat + 1) * size]),
            tokens=0 if role == "accomplice" else COMPONENTS.start_intel,
        )
        for seat, role in enumerate(roles)
    ]
    state = InsideJobState(
        rules_version=RULES_VERSION,
        options=options,
        special_roles=special_roles,
        phase="choose_partner",
        trick=0,
        start_seat=random.below(seats),
        players=players,
        supply=COMPONENTS.intel_tokens - sum(player.tokens for player in players),
        undealt=sorted_cards(cards[seats * size :]),
        mission_deck=mission_deck,
    )
    log = _dealt(state) + _turn_up_at_set_up(state)
    if holder(state, "accomplice") is None:
        log += _begin_trick(state, state.start_seat)
    return state, log


def _roles_in_play(seats: int, options: InsideJobOptions, random: Stream) -> list[SpecialRole]:
    """The special roles that were chosen, or one of all allowed sets of as many as the match wants at random."""
    if not options.random_roles:
        return sorted(options.special_roles)
    sets = [roles for roles in allowed_sets(seats, wagers=options.wagers) if len(roles) == options.random_roles]
    return list(random.choice(sets))


def _mission_deck(options: InsideJobOptions, special_roles: list[SpecialRole]) -> list[Mission]:
    """The cards of the mission deck, not shuffled; the Risk Agent adds the risk missions."""
    deck: list[Mission] = [NORMAL_MISSION[card.condition, card.trump] for card in options.mission_deck]
    if "risk_agent" in special_roles:
        deck += RISK_MISSIONS
    return deck


def _dealt(state: InsideJobState) -> Log:
    event = InsideJobDealt(
        start_seat=state.start_seat,
        special_roles=list(state.special_roles),
        tokens=[player.tokens for player in state.players],
        supply=state.supply,
        hand_size=SETUPS[len(state.players)].hand,
        undealt_size=len(state.undealt),
        mission_deck_size=len(state.mission_deck),
        tricks=tricks(state),
        missions_needed=missions_needed(state),
        intel_limit=intel_limit(state),
    )
    secrets = {
        seat: DealtRoleAndHand(role=player.role, hand=list(player.hand)) for seat, player in enumerate(state.players)
    }
    return [secretly(event, secrets)]


def _turn_up_at_set_up(state: InsideJobState) -> Log:
    """Section 3.5: the Bugged Agent and the Accomplice turn up their cards."""
    log: Log = []
    for seat, player in enumerate(state.players):
        if player.role in FACE_UP_FROM_THE_START:
            player.revealed = True
            log.append(openly(RoleTurnedUp(seat=seat, role=player.role, cause="set_up")))
    return log


def play(state: InsideJobState, seat: Seat, move: InsideJobMove) -> Log:
    """Play one move and all that follows from it, up to the next decision or the end.

    Chance decides nothing after the set-up.

    Raises:
        IllegalMove: the move is not legal; nothing has changed.
    """
    check(state, seat, move)
    match move:
        case ChoosePartner():
            return _choose_partner(state, seat, move)
        case ChooseMission():
            return _choose_mission(state, seat, move)
        case PlayCard():
            return _play_card(state, seat, move)
        case CastVote():
            return _cast_vote(state, seat, move)


# --- section 3.5: the Accomplice's partner ---


def _choose_partner(state: InsideJobState, seat: Seat, move: ChoosePartner) -> Log:
    state.partner = move.seat
    event = PartnerChosen(seat=seat, partner=move.seat)
    log: Log = [secretly(event, {seat: PartnerRole(role=state.players[move.seat].role)})]
    return log + _begin_trick(state, state.start_seat)


# --- section 4: a trick ---


def _begin_trick(state: InsideJobState, start: Seat) -> Log:
    """Section 4.1: the start player draws two missions."""
    state.phase = "choose_mission"
    state.trick += 1
    state.start_seat = start
    state.drawn = sorted(state.mission_deck.pop() for _ in range(2))
    event = MissionsDrawn(trick=state.trick, seat=start, mission_deck_size=len(state.mission_deck))
    return [secretly(event, {start: DrawnMissions(missions=list(state.drawn))})]


def _choose_mission(state: InsideJobState, seat: Seat, move: ChooseMission) -> Log:
    state.drawn.remove(move.mission)
    (discarded,) = state.drawn
    state.drawn = []
    state.players[seat].discarded.append(discarded)
    state.mission = move.mission
    state.phase = "play_card"
    event = MissionChosen(seat=seat, mission=move.mission)
    return [secretly(event, {seat: DiscardedMission(discarded=discarded)})]


def _play_card(state: InsideJobState, seat: Seat, move: PlayCard) -> Log:
    """Sections 4.2 to 4.4; after the last card the rest of section 4."""
    player = state.players[seat]
    player.hand.remove(move.card)
    player.tokens -= move.wager
    state.plays.append(Play(seat=seat, card=move.card, wager=move.wager))
    log: Log = [openly(TrickCardPlayed(seat=seat, card=move.card, wager=move.wager))]
    if len(state.plays) == len(state.players):
        log += _finish_trick(state)
    return log


def _finish_trick(state: InsideJobState) -> Log:
    winner, log = complete_trick(state)
    ending, checks = check_end(state, winner)
    log += checks
    if ending is not None:
        return [*log, *_end(state, ending)]
    if state.trick == tricks(state):
        return [*log, *_open_vote(state)]
    return [*log, *_begin_trick(state, winner)]


# --- section 9: the vote ---


def _open_vote(state: InsideJobState) -> Log:
    state.phase = "cast_vote"
    return [openly(VoteOpened(voters=voters(state)))]


def _cast_vote(state: InsideJobState, seat: Seat, move: CastVote) -> Log:
    state.players[seat].vote = list(move.targets)
    log: Log = [secretly(VoteCast(seat=seat), {seat: OwnVote(targets=list(move.targets))})]
    if not missing_voters(state):
        votes = [None if player.vote is None else list(player.vote) for player in state.players]
        log.append(openly(VotesShown(votes=votes)))
        log += _end(state, outcome(state))
    return log


def _end(state: InsideJobState, ending: Ending) -> Log:
    """Close the match; all roles become public."""
    state.phase = "over"
    state.ending = ending
    roles = [player.role for player in state.players]
    return [openly(InsideJobEnded(ending=ending, winner=WINNER[ending], roles=roles))]
