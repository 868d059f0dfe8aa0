// My supply cards. While they may be played, each is chosen or not, and what is chosen is played together.

import { useEffect, useState } from "preact/hooks";
import type { VerraeterView } from "../../api/types";
import type { Picking } from "../../match/picking";
import { listed, say } from "../../words";

function sameCards(one: number[], other: number[]): boolean {
  const sorted = (cards: number[]): string => [...cards].sort((a, b) => a - b).join();
  return sorted(one) === sorted(other);
}

export function Hand({ you, picking }: { you: NonNullable<VerraeterView["you"]>; picking: Picking }) {
  const [chosen, setChosen] = useState<number[]>([]);
  const decision = picking.decision;
  const playing = decision?.kind === "play_supplies";
  useEffect(() => setChosen([]), [decision?.id]);
  const toggle = (place: number): void => {
    setChosen(chosen.includes(place) ? chosen.filter((other) => other !== place) : [...chosen, place]);
  };
  const cards = chosen.map((place) => you.hand[place] ?? 0);
  // Whether they may be played together is not ours to say: there is such a legal move, or not.
  const move = picking.moves.find((one) => one.type === "play_supplies" && sameCards(one.cards, cards));
  const words = cards.length === 0 ? say("v.playnone") : say("v.play", { cards: listed(cards.map(String)) });
  return (
    <section class="panel hand" aria-labelledby="hand-title">
      <h2 id="hand-title">{say("hand.title")}</h2>
      {you.hand.length === 0 && <p>{say("hand.empty")}</p>}
      <ul class="cards">
        {you.hand.map((value, place) => (
          <li key={place}>
            <button
              type="button"
              class={`supply ${chosen.includes(place) ? "picked" : ""} ${playing ? "spot can fits" : "spot"}`}
              disabled={!playing}
              aria-pressed={playing ? chosen.includes(place) : undefined}
              aria-label={say("v.supply", { value })}
              onClick={() => toggle(place)}
            >
              <b>{value}</b>
              <Sheaves count={value} />
            </button>
          </li>
        ))}
      </ul>
      {playing && (
        <div class="actions">
          <button
            type="button"
            class="main"
            data-move="play_supplies"
            disabled={move === undefined}
            onClick={() => move !== undefined && picking.play(move)}
          >
            {move === undefined ? say("v.notpossible") : words}
          </button>
          <span class="note">{say("v.choose")}</span>
        </div>
      )}
    </section>
  );
}

/** As many ears of corn as the card is worth. */
function Sheaves({ count }: { count: number }) {
  return (
    <svg viewBox="0 0 40 20" aria-hidden="true">
      {Array.from({ length: count }, (_, number) => (
        <circle key={number} cx={5 + (number % 4) * 10} cy={number < 4 ? 5 : 15} r="3.500" />
      ))}
    </svg>
  );
}
