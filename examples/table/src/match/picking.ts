// Choosing a move by pointing at things: each thing narrows the legal moves to those that mention it, and the last one left is
// played. So a table can be played without knowing a rule: what may be pointed at is what a legal move mentions.

import { useEffect, useState } from "preact/hooks";
import type { Move } from "../api/types";

export interface Decision {
  id: number;
  kind: string;
  legal_moves: Move[];
}

export interface Picking {
  decision: Decision | null;
  /** The legal moves that fit what has been pointed at. */
  moves: Move[];
  picked: string[];
  /** Whether a legal move mentions that thing. */
  can: (thing: string) => boolean;
  /** Whether it would narrow the choice that has been begun. */
  fits: (thing: string) => boolean;
  has: (thing: string) => boolean;
  pick: (thing: string) => void;
  clear: () => void;
  play: (move: Move) => void;
}

/** The moves that mention all of these things. */
export function narrowed(moves: Move[], things: string[], mentions: (move: Move) => string[]): Move[] {
  return moves.filter((move) => things.every((thing) => mentions(move).includes(thing)));
}

export function usePicking(
  decision: Decision | null,
  mentions: (move: Move) => string[],
  send: (decision: number, move: Move) => void,
): Picking {
  const [picked, setPicked] = useState<string[]>([]);
  const id = decision?.id ?? null;
  useEffect(() => setPicked([]), [id]);

  const all = decision?.legal_moves ?? [];
  const moves = narrowed(all, picked, mentions);
  const play = (move: Move): void => {
    if (id !== null) {
      send(id, move);
    }
  };
  const pick = (thing: string): void => {
    if (picked.includes(thing)) {
      setPicked(picked.filter((other) => other !== thing));
      return;
    }
    const further = narrowed(moves, [thing], mentions);
    const left = further.length > 0 ? further : narrowed(all, [thing], mentions);
    const [only, ...more] = left;
    if (only !== undefined && more.length === 0) {
      play(only);
    } else {
      setPicked(further.length > 0 ? [...picked, thing] : [thing]);
    }
  };
  return {
    decision,
    moves: moves.length > 0 ? moves : all,
    picked,
    can: (thing) => narrowed(all, [thing], mentions).length > 0,
    fits: (thing) => narrowed(moves, [thing], mentions).length > 0,
    has: (thing) => picked.includes(thing),
    pick,
    clear: () => setPicked([]),
    play,
  };
}
