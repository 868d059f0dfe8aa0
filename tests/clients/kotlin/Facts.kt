// Tells facts of views, moves and events, each by its own fields: it is the tag that says which there are.

import turncoat.models.InsideJobEvent
import turncoat.models.InsideJobLogEntry
import turncoat.models.InsideJobMove
import turncoat.models.KabaleEvent
import turncoat.models.KabaleLogEntry
import turncoat.models.KabaleMove
import turncoat.models.Move
import turncoat.models.VerraeterEvent
import turncoat.models.VerraeterLogEntry
import turncoat.models.VerraeterMove
import turncoat.models.View

/** What lies on the table, and what this player alone holds. */
fun toldOfView(view: View): String =
    when (view) {
        is View.VerraeterWrapper -> {
            val lands = view.value.table.landscapes.joinToString { it.type.value }
            "supplies ${view.value.you?.hand}; around the table $lands"
        }
        is View.KabaleWrapper -> {
            val goals = view.value.table.columns.joinToString { it.goal.value }
            "characters ${view.value.you?.hand}; columns of $goals"
        }
        is View.InsideJobWrapper -> {
            val you = view.value.you
            "${you?.role} with ${you?.hand}; trick ${view.value.table.trick} of ${view.value.table.tricks}"
        }
    }

/** What a move does. */
fun toldOfMove(move: Move): String =
    when (move) {
        is Move.PlaceFarmWrapper -> "a farm under landscape ${move.value.landscape}"
        is Move.DeclareConflictWrapper -> "a conflict at border ${move.value.border}"
        is Move.DraftActionWrapper -> "the action ${move.value.action}"
        is Move.PlaySuppliesWrapper -> "supplies of ${move.value.cards.sumOf { it.value }}"
        is Move.PlaceBuildingWrapper -> "a ${move.value.side} under landscape ${move.value.landscape}"
        is Move.MoveBuildingWrapper -> "a building from ${move.value.from} to ${move.value.to}"
        is Move.TurnBuildingWrapper -> "the building under landscape ${move.value.landscape}"
        is Move.DeclineBuildWrapper -> "nothing"
        is Move.PlaceCardWrapper -> "${move.value.card} into column ${move.value.column}"
        is Move.SwapGoalsWrapper -> "the goals of columns ${move.value.columns}"
        is Move.DeclineSwapWrapper -> "nothing"
        is Move.TuckCardWrapper -> "${move.value.card} under the disguise"
        is Move.DeclineTuckWrapper -> "nothing"
        is Move.ChoosePartnerWrapper -> "seat ${move.value.seat}"
        is Move.ChooseMissionWrapper -> "mission ${move.value.mission}"
        is Move.PlayCardWrapper -> "${move.value.card}${if (move.value.wager) ", with a wager" else ""}"
        is Move.CastVoteWrapper -> "against ${move.value.targets}"
    }

fun sendable(move: VerraeterMove): Move =
    when (move) {
        is VerraeterMove.PlaceFarmWrapper -> Move.PlaceFarmWrapper(move.value)
        is VerraeterMove.DeclareConflictWrapper -> Move.DeclareConflictWrapper(move.value)
        is VerraeterMove.DraftActionWrapper -> Move.DraftActionWrapper(move.value)
        is VerraeterMove.PlaySuppliesWrapper -> Move.PlaySuppliesWrapper(move.value)
        is VerraeterMove.PlaceBuildingWrapper -> Move.PlaceBuildingWrapper(move.value)
        is VerraeterMove.MoveBuildingWrapper -> Move.MoveBuildingWrapper(move.value)
        is VerraeterMove.TurnBuildingWrapper -> Move.TurnBuildingWrapper(move.value)
        is VerraeterMove.DeclineBuildWrapper -> Move.DeclineBuildWrapper(move.value)
    }

fun sendable(move: KabaleMove): Move =
    when (move) {
        is KabaleMove.PlaceCardWrapper -> Move.PlaceCardWrapper(move.value)
        is KabaleMove.SwapGoalsWrapper -> Move.SwapGoalsWrapper(move.value)
        is KabaleMove.DeclineSwapWrapper -> Move.DeclineSwapWrapper(move.value)
        is KabaleMove.TuckCardWrapper -> Move.TuckCardWrapper(move.value)
        is KabaleMove.DeclineTuckWrapper -> Move.DeclineTuckWrapper(move.value)
    }

fun sendable(move: InsideJobMove): Move =
    when (move) {
        is InsideJobMove.ChoosePartnerWrapper -> Move.ChoosePartnerWrapper(move.value)
        is InsideJobMove.ChooseMissionWrapper -> Move.ChooseMissionWrapper(move.value)
        is InsideJobMove.PlayCardWrapper -> Move.PlayCardWrapper(move.value)
        is InsideJobMove.CastVoteWrapper -> Move.CastVoteWrapper(move.value)
    }

/** What happened, where this player learned something that the others did not. */
fun toldOf(entry: VerraeterLogEntry): String =
    when (val event = entry.event) {
        is VerraeterEvent.VerraeterDealtWrapper -> "${event.value.landscapes.size} landscapes"
        is VerraeterEvent.ActionsOfferedWrapper -> "offered ${event.value.you?.actions}"
        else -> "event ${entry.number}"
    }

fun toldOf(entry: KabaleLogEntry): String =
    when (val event = entry.event) {
        is KabaleEvent.KabaleDealtWrapper -> "drew ${event.value.you?.cards}"
        is KabaleEvent.CardTurnedUpWrapper -> "${event.value.character} in column ${event.value.column}"
        else -> "event ${entry.number}"
    }

fun toldOf(entry: InsideJobLogEntry): String =
    when (val event = entry.event) {
        is InsideJobEvent.InsideJobDealtWrapper -> "dealt ${event.value.you?.role}"
        is InsideJobEvent.TrickCompletedWrapper -> "won by seat ${event.value.winner}"
        else -> "event ${entry.number}"
    }
