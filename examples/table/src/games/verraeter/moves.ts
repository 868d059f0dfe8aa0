// The moves of Verräter: what they have to do with, and in words.

import type { Move, VerraeterView, View } from "../../api/types";
import { listed, say } from "../../words";
import type { Teller } from "../../match/teller";

export function landName(view: VerraeterView, position: number, teller: Teller): string {
  const type = view.table.landscapes[position]?.type ?? "";
  return say("v.land", { type: teller.name(type), number: position + 1 });
}

/** The two landscapes at a border. */
export function ends(border: number): [number, number] {
  return [border, (border + 1) % 12];
}

export function mentions(move: Move): string[] {
  switch (move.type) {
    case "place_farm":
    case "place_building":
    case "turn_building":
      return [`land:${move.landscape}`];
    case "move_building":
      return [`land:${move.from}`, `land:${move.to}`];
    case "declare_conflict":
      return [`border:${move.border}`];
    case "draft_action":
      return [`action:${move.action}`];
    default:
      return [];
  }
}

export function describeMove(move: Move, { view, teller }: { view: View; teller: Teller }): string {
  if (view.game !== "verraeter") {
    return "";
  }
  const land = (position: number): string => landName(view, position, teller);
  switch (move.type) {
    case "place_farm":
      return say("m.place_farm", { side: teller.name("farm"), land: land(move.landscape) });
    case "declare_conflict": {
      const [a, b] = ends(move.border);
      return say("m.declare_conflict", { a: land(a), b: land(b) });
    }
    case "draft_action":
      return say("m.draft_action", { action: teller.name(move.action) });
    case "play_supplies":
      return move.cards.length === 0 ? say("v.playnone") : say("v.play", { cards: listed(move.cards.map(String)) });
    case "place_building":
      return say("m.place_building", { side: teller.name(move.side), land: land(move.landscape) });
    case "move_building":
      return say("m.move_building", { from: land(move.from), to: land(move.to) });
    case "turn_building":
      return say("m.turn_building", { land: land(move.landscape) });
    default:
      return teller.name(move.type);
  }
}

