// The cards of Kabale und Hiebe.

import type { ComponentChildren } from "preact";
import { CategoryMark, PlainMark, SeatMark } from "../../art/Mark";
import type { KabaleGame, KabaleView } from "../../api/types";
import type { Teller } from "../../match/teller";
import { say } from "../../words";

type Influence = KabaleGame["components"]["influence"][number];

/** "20", "8/12", or an X for the Double. */
export function valueOf(card: Influence | undefined): string {
  if (card === undefined) {
    return "";
  }
  if (card.value === null) {
    return "X";
  }
  return card.higher_value === null ? `${card.value}` : `${card.value}/${card.higher_value}`;
}

/** The face of an influence card. */
export function Face({ game, id, teller }: { game: KabaleGame; id: string; teller: Teller }) {
  const card = game.components.influence.find((one) => one.id === id);
  return (
    <>
      <b class="value">{valueOf(card)}</b>
      <span class="card-name">{teller.name(id)}</span>
      {card?.specialist_of != null && <CategoryMark category={card.specialist_of} />}
      {card?.acts.map((timing) => (
        <small key={timing} class="acts">
          {teller.name(timing)}
        </small>
      ))}
    </>
  );
}

export function goalParts(game: KabaleGame, goal: string): { category: string; value: number } {
  const card = game.components.goals.find((one) => one.id === goal);
  return { category: card?.category ?? "", value: card?.value ?? 0 };
}

/** A small goal card, as it lies before its winner. */
export function WonGoal({ game, goal, teller }: { game: KabaleGame; goal: string; teller: Teller }) {
  const { category, value } = goalParts(game, goal);
  return (
    <span class="won-goal" role="img" aria-label={teller.name(goal)}>
      <CategoryMark category={category} />
      {value}
    </span>
  );
}

interface SlotProps {
  view: KabaleView;
  game: KabaleGame;
  teller: Teller;
  column: number;
  slot: number;
}

/** A card in a column: its back shows its owner; what lies face down is readable for nobody else. */
export function Slot({ view, game, teller, column, slot }: SlotProps) {
  const card = view.table.columns[column]?.slots[slot];
  if (card === undefined) {
    return null;
  }
  const here = (one: { column: number; slot: number }): boolean => one.column === column && one.slot === slot;
  const mine = view.you?.face_down.find(here)?.character;
  const tucked = view.you?.tucked.find(here)?.character;
  const known = card.character ?? mine ?? null;
  const who = teller.who(card.owner);
  const pending = view.table.pending !== null && here(view.table.pending);
  const words = [slotWords(card, known, mine !== undefined, who, teller)];
  if (card.tucked) {
    words.push(tucked === undefined ? say("k.tucked") : say("k.tucked.mine", { card: teller.name(tucked) }));
  }
  let below: ComponentChildren = null;
  if (card.tucked) {
    below = <span class="under">+ {tucked === undefined ? "?" : teller.name(tucked)}</span>;
  }
  return (
    <div
      class={`slot seat-${card.owner} ${card.face_up ? "up" : "down"} ${pending ? "pending" : ""}`}
      role="img"
      aria-label={words.join(", ")}
    >
      <SeatMark seat={card.owner} />
      {known === null ? <span class="card-back" /> : <Face game={game} id={known} teller={teller} />}
      {!card.face_up && known !== null && <PlainMark kind="eye" />}
      {below}
    </div>
  );
}

function slotWords(
  card: { face_up: boolean },
  known: string | null,
  isMine: boolean,
  who: string,
  teller: Teller,
): string {
  if (known === null) {
    return say("k.facedown", { who });
  }
  const values = { who, card: teller.name(known) };
  if (card.face_up) {
    return say("k.faceup", values);
  }
  return say(isMine ? "k.mine" : "k.known", values);
}
