// What happens in Kabale und Hiebe, in sentences.

import type { LogEntry } from "../../api/types";
import { listed, say } from "../../words";
import type { Scene } from "../game";

export function describeEntry({ event }: LogEntry, { teller }: Scene): string | null {
  const { name, who } = teller;
  const onlyYou = (ids: string[]): string =>
    ids.length === 0 ? "" : ` (${say("log.only", { what: listed(ids.map(name)) })})`;
  const scores = (values: (number | null)[]): string =>
    listed(values.flatMap((value, seat) => (value === null ? [] : [`${who(seat)} ${value}`])));
  switch (event.type) {
    case "kabale_dealt":
      return say("e.kabale_dealt", { count: event.hand_size }) + onlyYou(event.you?.cards ?? []);
    case "goals_revealed":
      return say("e.goals_revealed", { round: event.round, goals: listed(event.goals.map(name)) });
    case "kabale_turn_begun":
      return null; // the card that is laid says it all
    case "kabale_seat_skipped":
      return say("e.kabale_seat_skipped", { who: who(event.seat) });
    case "card_placed":
      return (
        say("e.card_placed", { who: who(event.seat), column: event.column + 1 }) +
        onlyYou(event.you ? [event.you.card] : [])
      );
    case "card_turned_up":
      return say("e.card_turned_up", {
        card: name(event.character),
        who: who(event.owner),
        column: event.column + 1,
      });
    case "card_killed": {
      const known = event.you?.card ?? event.character;
      return (
        say("e.card_killed", { who: who(event.owner), column: event.column + 1 }) + (known ? ` (${name(known)})` : "")
      );
    }
    case "explorer_moved":
      return say("e.explorer_moved", { who: who(event.owner), from: event.from + 1, to: event.to + 1 });
    case "column_closed":
      return say("e.column_closed", { column: event.column + 1 });
    case "ability_offered":
      return say("e.ability_offered", { who: who(event.seat), what: name(event.kind) });
    case "goals_swapped":
      return say("e.goals_swapped", {
        who: who(event.seat),
        columns: listed(event.columns.map((column) => String(column + 1))),
      });
    case "swap_declined":
      return say("e.swap_declined", { who: who(event.seat) });
    case "card_tucked":
      return (
        say("e.card_tucked", { who: who(event.seat), column: event.column + 1 }) +
        onlyYou(event.you ? [event.you.card] : [])
      );
    case "tuck_declined":
      return say("e.tuck_declined", { who: who(event.seat) });
    case "own_pile_shuffled":
      return say("e.own_pile_shuffled", { who: who(event.seat) });
    case "influence_drawn":
      return say("e.influence_drawn", { who: who(event.seat), count: event.count }) + onlyYou(event.you?.cards ?? []);
    case "kabale_round_ended":
      return say("e.kabale_round_ended", { round: event.round, ending: name(event.ending) });
    case "column_scored": {
      const { goal, winner, totals, decided_by: decided } = event.scored;
      return winner === null
        ? say("e.column_scored.nobody", { goal: name(goal) })
        : say("e.column_scored", {
            goal: name(goal),
            who: who(winner),
            totals: scores(totals),
            decided: name(decided),
          });
    }
    case "kabale_ended":
      return say("e.scores", { scores: scores(event.scores) });
    default:
      return name(event.type); // newer than this client
  }
}
