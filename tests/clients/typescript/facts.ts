// Tells facts of views, moves and events, each by its own fields: it is the tag that says which there are.

import type { components } from "./turncoat.js";

type Schemas = components["schemas"];
export type View = Schemas["View"];
export type Move = Schemas["Move"];
export type LogEntry = Schemas["EventPage"]["items"][number];

/** For what the types say cannot be: the compiler refuses a call that can happen. */
export function impossible(value: never): never {
  throw new TypeError(`the contract does not know ${JSON.stringify(value)}`);
}

/** What lies on the table, and what this player alone holds. */
export function toldOfView(view: View): string {
  switch (view.game) {
    case "verraeter": {
      const lands = view.table.landscapes.map((landscape) => landscape.type).join(", ");
      return `supplies ${view.you?.hand.join(", ")}; around the table ${lands}`;
    }
    case "kabale": {
      const goals = view.table.columns.map((column) => column.goal).join(", ");
      return `characters ${view.you?.hand.join(", ")}; columns of ${goals}`;
    }
    case "inside_job":
      return `${view.you?.role} with ${view.you?.hand.join(", ")}; trick ${view.table.trick} of ${view.table.tricks}`;
    default:
      return impossible(view);
  }
}

/** What a move does. */
export function toldOfMove(move: Move): string {
  switch (move.type) {
    case "place_farm":
      return `a farm under landscape ${move.landscape}`;
    case "declare_conflict":
      return `a conflict at border ${move.border}`;
    case "draft_action":
      return `the action ${move.action}`;
    case "play_supplies":
      return `supplies of ${move.cards.reduce<number>((sum, card) => sum + card, 0)}`;
    case "place_building":
      return `a ${move.side} under landscape ${move.landscape}`;
    case "move_building":
      return `a building from ${move.from} to ${move.to}`;
    case "turn_building":
      return `the building under landscape ${move.landscape}`;
    case "place_card":
      return `${move.card} into column ${move.column}`;
    case "swap_goals":
      return `the goals of columns ${move.columns.join(", ")}`;
    case "tuck_card":
      return `${move.card} under the disguise`;
    case "choose_partner":
      return `seat ${move.seat}`;
    case "choose_mission":
      return `mission ${move.mission}`;
    case "play_card":
      return `${move.card}${move.wager ? ", with a wager" : ""}`;
    case "cast_vote":
      return `against ${move.targets.join(", ")}`;
    case "decline_build":
    case "decline_swap":
    case "decline_tuck":
      return "nothing";
    default:
      return impossible(move);
  }
}

/** What happened, where this player learned something that the others did not. */
export function toldOfEvent({ number, event }: LogEntry): string {
  switch (event.type) {
    case "verraeter_dealt":
      return `${event.landscapes.length} landscapes`;
    case "actions_offered":
      return `offered ${event.you?.actions.join(", ")}`;
    case "kabale_dealt":
      return `drew ${event.you?.cards.join(", ")}`;
    case "card_turned_up":
      return `${event.character} in column ${event.column}`;
    case "inside_job_dealt":
      return `dealt ${event.you?.role}`;
    case "trick_completed":
      return `won by seat ${event.winner}`;
    default:
      return `event ${number}`;
  }
}
