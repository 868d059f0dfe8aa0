"""Tells facts of views, moves and events, each by its own fields: it is the tag that says which there are."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from turncoat_client.models import (
    CastVote,
    ChooseMission,
    ChoosePartner,
    DeclareConflict,
    DeclineBuild,
    DeclineSwap,
    DeclineTuck,
    DraftAction,
    InsideJobLogEntry,
    InsideJobView,
    KabaleLogEntry,
    KabaleView,
    MoveBuilding,
    PlaceBuilding,
    PlaceCard,
    PlaceFarm,
    PlayCard,
    PlaySupplies,
    SwapGoals,
    TuckCard,
    TurnBuilding,
    VerraeterLogEntry,
    VerraeterView,
)

Move: TypeAlias = (
    PlaceFarm
    | DeclareConflict
    | DraftAction
    | PlaySupplies
    | PlaceBuilding
    | MoveBuilding
    | TurnBuilding
    | DeclineBuild
    | PlaceCard
    | SwapGoals
    | DeclineSwap
    | TuckCard
    | DeclineTuck
    | ChoosePartner
    | ChooseMission
    | PlayCard
    | CastVote
)


def told_of_view(view: VerraeterView | KabaleView | InsideJobView) -> str:
    """What lies on the table, and what this player alone holds."""
    if view.game == "verraeter":
        lands = ", ".join(landscape.type_ for landscape in view.table.landscapes)
        return f"supplies {view.you.hand if view.you else None}; around the table {lands}"
    if view.game == "kabale":
        goals = ", ".join(column.goal for column in view.table.columns)
        return f"characters {view.you.hand if view.you else None}; columns of {goals}"
    if view.game == "inside_job":
        cards = f"{view.you.role} with {view.you.hand}" if view.you else None
        return f"{cards}; trick {view.table.trick} of {view.table.tricks}"
    assert_never(view)


def told_of_move(move: Move) -> str:
    """What a move does."""
    match move.type_:
        case "place_farm":
            return f"a farm under landscape {move.landscape}"
        case "declare_conflict":
            return f"a conflict at border {move.border}"
        case "draft_action":
            return f"the action {move.action}"
        case "play_supplies":
            return f"supplies of {sum(move.cards)}"
        case "place_building":
            return f"a {move.side} under landscape {move.landscape}"
        case "move_building":
            return f"a building from {move.from_} to {move.to}"
        case "turn_building":
            return f"the building under landscape {move.landscape}"
        case "place_card":
            return f"{move.card} into column {move.column}"
        case "swap_goals":
            return f"the goals of columns {move.columns}"
        case "tuck_card":
            return f"{move.card} under the disguise"
        case "choose_partner":
            return f"seat {move.seat}"
        case "choose_mission":
            return f"mission {move.mission}"
        case "play_card":
            return f"{move.card}{', with a wager' if move.wager else ''}"
        case "cast_vote":
            return f"against {move.targets}"
        case "decline_build" | "decline_swap" | "decline_tuck":
            return "nothing"
        case _:
            assert_never(move.type_)


def told_of_event(entry: VerraeterLogEntry | KabaleLogEntry | InsideJobLogEntry) -> str:
    """What happened, where this player learned something that the others did not."""
    match entry.event.type_:
        case "verraeter_dealt":
            return f"{len(entry.event.landscapes)} landscapes"
        case "actions_offered":
            return f"offered {entry.event.you.actions if entry.event.you else None}"
        case "kabale_dealt":
            return f"drew {entry.event.you.cards if entry.event.you else None}"
        case "card_turned_up":
            return f"{entry.event.character} in column {entry.event.column}"
        case "inside_job_dealt":
            return f"dealt {entry.event.you.role if entry.event.you else None}"
        case "trick_completed":
            return f"won by seat {entry.event.winner}"
        case _:
            return f"event {entry.number}"
