// The moves of Kabale und Hiebe: what they have to do with, and in words.

import type { Move } from "../../api/types";
import { say } from "../../words";
import type { Scene } from "../game";

export function mentions(move: Move): string[] {
  switch (move.type) {
    case "place_card":
      return [`card:${move.card}`, `column:${move.column}`];
    case "tuck_card":
      return [`card:${move.card}`];
    case "swap_goals":
      return move.columns.map((column) => `column:${column}`);
    default:
      return [];
  }
}

export function describeMove(move: Move, { view, teller }: Scene): string {
  const goal = (column: number): string =>
    view.game === "kabale" ? teller.name(view.table.columns[column]?.goal ?? "") : "";
  switch (move.type) {
    case "place_card":
      return say("m.place_card", {
        card: teller.name(move.card),
        column: move.column + 1,
        goal: goal(move.column),
      });
    case "tuck_card":
      return say("m.tuck_card", { card: teller.name(move.card) });
    case "swap_goals":
      return say("m.swap_goals", { a: goal(move.columns[0] ?? 0), b: goal(move.columns[1] ?? 0) });
    default:
      return teller.name(move.type);
  }
}
