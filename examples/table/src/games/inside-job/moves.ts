// The moves of Inside Job: what they have to do with, and in words.

import type { Move } from "../../api/types";
import { say } from "../../words";
import type { Scene } from "../game";

export function mentions(move: Move): string[] {
  switch (move.type) {
    case "choose_partner":
      return [`seat:${move.seat}`];
    case "choose_mission":
      return [`mission:${move.mission}`];
    case "play_card":
      return [`card:${move.card}`];
    case "cast_vote":
      return move.targets.map((seat) => `seat:${seat}`);
    default:
      return [];
  }
}

export function describeMove(move: Move, { teller }: Scene): string {
  switch (move.type) {
    case "choose_partner":
      return say("m.choose_partner", { who: teller.who(move.seat) });
    case "choose_mission":
      return say("m.choose_mission", { mission: teller.name(move.mission) });
    case "play_card":
      return say(move.wager ? "m.play_card.wager" : "m.play_card", { card: teller.name(move.card) });
    case "cast_vote":
      return say("m.cast_vote", { who: teller.all(move.targets) });
    default:
      return teller.name(move.type);
  }
}
