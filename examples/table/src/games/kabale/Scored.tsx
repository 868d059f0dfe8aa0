// How the columns of the last round were scored: every card, what happened to it, and who took the goal.

import { CategoryMark, SeatMark } from "../../art/Mark";
import type { KabaleGame, KabaleView } from "../../api/types";
import type { Teller } from "../../match/teller";
import { say } from "../../words";
import { goalParts } from "./Cards";

type Last = NonNullable<KabaleView["table"]["last_round"]>;

export function Scored({ last, game, teller }: { last: Last; game: KabaleGame; teller: Teller }) {
  return (
    <details class="panel scored">
      <summary>{say("k.last")}</summary>
      <ol>
        {last.columns.map((column, number) => (
          <li key={number}>
            <h3>
              <CategoryMark category={goalParts(game, column.goal).category} />
              {teller.name(column.goal)}: {column.winner === null ? teller.name("nobody") : teller.who(column.winner)}
            </h3>
            <ul>
              {column.cards.map((card, slot) => (
                <li key={slot} class={card.knocked_out_by === null ? "" : "out"}>
                  <SeatMark seat={card.owner} />
                  {teller.name(card.tucked ?? card.character)}
                  {card.value !== null && card.knocked_out_by === null && ` ${card.value}`}
                  {card.knocked_out_by !== null && ` (${teller.name(card.knocked_out_by)})`}
                </li>
              ))}
            </ul>
            <p class="note">
              {[...column.steps.map(teller.name), column.winner === null ? "" : teller.name(column.decided_by)]
                .filter(Boolean)
                .join(" · ")}
            </p>
          </li>
        ))}
      </ol>
    </details>
  );
}
