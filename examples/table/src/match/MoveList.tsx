// Every legal move as a button with a sentence: for who does not like to point, and for games without a drawing.

import type { Move } from "../api/types";
import { say } from "../words";
import type { Picking } from "./picking";

const FEW = 6;

interface Props {
  picking: Picking;
  describe: (move: Move) => string;
  /** Whether a move has nothing on the table to point at. */
  isUnseen: (move: Move) => boolean;
}

export function MoveList({ picking, describe, isUnseen }: Props) {
  if (picking.decision === null) {
    return null;
  }
  const button = (move: Move) => (
    <li key={JSON.stringify(move)}>
      <button type="button" data-move={move.type} onClick={() => picking.play(move)}>
        {describe(move)}
      </button>
    </li>
  );
  const { moves } = picking;
  if (moves.length <= FEW) {
    return (
      <div class="moves">
        <p class="unseen">{say("ask.choices")}</p>
        <ul>{moves.map(button)}</ul>
        <Undo picking={picking} />
      </div>
    );
  }
  return (
    <div class="moves">
      <ul>{moves.filter(isUnseen).map(button)}</ul>
      <Undo picking={picking} />
      <details>
        <summary>{say("ask.all", { count: moves.length })}</summary>
        <ul>{moves.map(button)}</ul>
      </details>
    </div>
  );
}

function Undo({ picking }: { picking: Picking }) {
  if (picking.picked.length === 0) {
    return null;
  }
  return (
    <button type="button" class="quiet" onClick={picking.clear}>
      {say("ask.undo")}
    </button>
  );
}
