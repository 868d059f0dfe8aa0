// The table of Kabale und Hiebe.

import type { KabaleGame, KabaleView } from "../../api/types";
import { SeatPanel, type Seating } from "../../match/SeatPanel";
import { Tile } from "../../match/Spot";
import { listed, say } from "../../words";
import type { TableProps } from "../game";
import { Face, WonGoal, valueOf } from "./Cards";
import { Columns } from "./Columns";
import { Scored } from "./Scored";

export function Table({ card, view, game, teller, picking }: TableProps) {
  if (view.game !== "kabale" || game.game !== "kabale") {
    return null;
  }
  const { round, rounds, goal_stack_size: stack, last_round: last } = view.table;
  return (
    <div class="table kabale">
      <p class="stage">
        <b>{say("v.round", { round, rounds })}</b> · {say("k.stack", { count: stack })}
      </p>
      <Columns view={view} game={game} teller={teller} picking={picking} />
      {view.you !== null && <Hand you={view.you} seat={view.you.seat} {...{ game, teller, picking }} />}
      <Places view={view} game={game} seating={{ card, view, teller, picking }} />
      {last !== null && <Scored last={last} game={game} teller={teller} />}
    </div>
  );
}

type HandProps = Pick<TableProps, "teller" | "picking"> & {
  game: KabaleGame;
  you: NonNullable<KabaleView["you"]>;
  seat: number;
};

function Hand({ you, seat, game, teller, picking }: HandProps) {
  const value = (id: string): string => valueOf(game.components.influence.find((card) => card.id === id));
  return (
    <section class="panel hand" aria-labelledby="hand-title">
      <h2 id="hand-title">{say("hand.title")}</h2>
      {you.hand.length === 0 && <p>{say("hand.empty")}</p>}
      <ul class="cards">
        {you.hand.map((id) => (
          <li key={id}>
            <Tile
              thing={`card:${id}`}
              label={`${teller.name(id)}, ${say("k.value", { value: value(id) })}`}
              picking={picking}
              class={`influence seat-${seat}`}
            >
              <Face game={game} id={id} teller={teller} />
            </Tile>
          </li>
        ))}
      </ul>
      <details>
        <summary>{say("hand.more")}</summary>
        <p>
          {say("k.undrawn")}: {listed(you.undrawn.map(teller.name)) || "–"}
        </p>
        <p>
          {say("k.discards")}: {listed(you.discard_pile.map(teller.name)) || "–"}
        </p>
      </details>
    </section>
  );
}

function Places({ view, game, seating }: { view: KabaleView; game: KabaleGame; seating: Seating }) {
  return (
    <ul class="seats">
      {view.table.seats.map((seat) => (
        <SeatPanel key={seat.seat} seat={seat.seat} {...seating}>
          <p>
            <b>{say("v.score", { count: seat.score })}</b> · {say("k.hand", { count: seat.hand_size })} ·{" "}
            {say("k.draw", { count: seat.draw_pile_size })} · {say("k.discard", { count: seat.discard_pile_size })}
          </p>
          <p class="won-goals">
            {seat.goals.length === 0 && say("k.nogoals")}
            {seat.goals.map((goal, place) => (
              <WonGoal key={place} game={game} goal={goal} teller={seating.teller} />
            ))}
          </p>
        </SeatPanel>
      ))}
    </ul>
  );
}
