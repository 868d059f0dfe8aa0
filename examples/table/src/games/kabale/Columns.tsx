// The columns: a goal at the top of each, the cards below it, and how far it is from being fulfilled.

import { CategoryMark, PlainMark } from "../../art/Mark";
import type { KabaleGame, KabaleView } from "../../api/types";
import type { Picking } from "../../match/picking";
import { Tile } from "../../match/Spot";
import type { Teller } from "../../match/teller";
import { say } from "../../words";
import { Slot, goalParts } from "./Cards";

interface Props {
  view: KabaleView;
  game: KabaleGame;
  teller: Teller;
  picking: Picking;
}

export function Columns({ view, game, teller, picking }: Props) {
  return (
    <ol class="columns">
      {view.table.columns.map((column, number) => {
        const { category, value } = goalParts(game, column.goal);
        const count = column.slots.length;
        const state = column.closed ? say("k.closed") : column.fulfilled ? say("k.fulfilled") : "";
        const cards = say("k.cards", { count, needed: value });
        const words = [say("k.goal", { number: number + 1, goal: teller.name(column.goal) }), cards, state];
        return (
          <li
            key={`${view.table.round}-${number}`}
            class={`column ${column.closed ? "closed" : ""} ${column.fulfilled ? "fulfilled" : ""}`}
          >
            <Tile
              thing={`column:${number}`}
              label={words.filter(Boolean).join(", ")}
              picking={picking}
              class={`goal category-${category}`}
            >
              <CategoryMark category={category} />
              <b>{value}</b>
              <span class="goal-name">{teller.name(category)}</span>
              <span class="pips">
                {Array.from({ length: Math.max(value, count) }, (_, pip) => (
                  <i key={pip} class={pip < count ? "full" : ""} />
                ))}
              </span>
              <span class="goal-state">
                {column.closed && <PlainMark kind="storm" />}
                {column.fulfilled && !column.closed && <PlainMark kind="done" />}
                {state === "" ? cards : state}
              </span>
            </Tile>
            <ol class="slots">
              {column.slots.map((_, slot) => (
                <li key={slot}>
                  <Slot view={view} game={game} teller={teller} column={number} slot={slot} />
                </li>
              ))}
            </ol>
          </li>
        );
      })}
    </ol>
  );
}
