// What happens in Verräter, in sentences.

import type { LogEntry } from "../../api/types";
import { listed, say } from "../../words";
import type { Scene } from "../game";
import { ends, landName } from "./moves";

export function describeEntry({ event }: LogEntry, { view, teller }: Scene): string | null {
  if (view.game !== "verraeter") {
    return null;
  }
  const { name, who } = teller;
  const land = (position: number): string => landName(view, position, teller);
  const onlyYou = (ids: string[]): string => (ids.length === 0 ? "" : ` (${say("log.only", { what: listed(ids) })})`);
  switch (event.type) {
    case "verraeter_dealt":
      return say("e.verraeter_dealt", { start: who(event.start_seat), strategist: who(event.strategist_seat) });
    case "farm_placed":
      return say("e.farm_placed", { who: who(event.seat), land: land(event.landscape) });
    case "conflict_declared": {
      const [a, b] = ends(event.border);
      return say("e.conflict_declared", { who: who(event.seat), a: land(a), b: land(b) });
    }
    case "actions_offered":
      return (
        say("e.actions_offered", { who: who(event.seat), count: event.count }) +
        onlyYou(event.you?.actions.map(name) ?? [])
      );
    case "action_drafted":
      return say("e.action_drafted", { who: who(event.seat) }) + onlyYou(event.you ? [name(event.you.action)] : []);
    case "supplies_played":
      return event.cards.length === 0
        ? say("e.supplies_played.none", { who: who(event.seat) })
        : say("e.supplies_played", { who: who(event.seat), cards: listed(event.cards.map(String)) });
    case "actions_revealed":
      return say("e.actions_revealed", {
        actions: listed(event.actions.map((action, seat) => `${who(seat)}: ${name(action)}`)),
      });
    case "allegiance_changed":
      return say("e.allegiance_changed", { who: who(event.seat), house: name(event.house) });
    case "conflict_resolved": {
      const totals = { eagle: name("eagle"), e: event.eagle, rose: name("rose"), r: event.rose };
      return event.winner === null
        ? say("e.conflict_resolved.equal", totals)
        : say("e.conflict_resolved", { ...totals, winner: name(event.winner) });
    }
    case "supplies_drawn":
      return (
        say("e.supplies_drawn", { who: who(event.seat), count: event.count, source: name(event.source) }) +
        onlyYou(event.you?.cards.map(String) ?? [])
      );
    case "discard_pile_shuffled":
      return say("e.discard_pile_shuffled", { count: event.draw_pile_size });
    case "points_scored":
      return say("e.points_scored", {
        who: who(event.seat),
        points: event.points,
        source: name(event.source),
        score: event.score,
      });
    case "landscape_turned":
      return say("e.landscape_turned", { land: land(event.landscape), house: name(event.house) });
    case "building_placed":
      return say("e.building_placed", { who: who(event.seat), land: land(event.landscape), side: name(event.side) });
    case "building_moved":
      return say("e.building_moved", { who: who(event.seat), from: land(event.from), to: land(event.to) });
    case "building_turned":
      return say("e.building_turned", { who: who(event.seat), land: land(event.landscape), side: name(event.side) });
    case "build_declined":
      return say("e.build_declined", { who: who(event.seat) });
    case "strategy_card_taken":
      return say("e.strategy_card_taken", { who: who(event.seat) });
    case "round_ended":
      return say("e.round_ended", { round: event.round, who: who(event.start_seat) });
    case "verraeter_ended":
      return say("e.ended", {
        ending: name(event.ending),
        scores: listed(event.scores.map((score, seat) => `${who(seat)} ${score}`)),
      });
    default:
      return name(event.type); // newer than this client
  }
}
