// The table of Verräter.

import type { VerraeterGame, VerraeterView } from "../../api/types";
import { ActionMark, PlainMark } from "../../art/Mark";
import { HouseMark } from "../../art/houses";
import { SeatPanel, type Seating } from "../../match/SeatPanel";
import { Tile } from "../../match/Spot";
import { listed, say } from "../../words";
import type { TableProps } from "../game";
import { Hand } from "./Hand";
import { landName, ends } from "./moves";
import { Ring } from "./Ring";

export function Table({ card, view, game, teller, picking }: TableProps) {
  if (view.game !== "verraeter" || game.game !== "verraeter") {
    return null;
  }
  const seating = { card, view, teller, picking };
  return (
    <div class="table verraeter">
      <div class="board">
        {picking.decision?.kind === "draft_action" && <Offered view={view} {...{ teller, picking }} />}
        <Ring view={view} game={game} teller={teller} picking={picking} />
      </div>
      {view.you !== null && <Hand you={view.you} picking={picking} />}
      <div class="sides">
        <Places view={view} seating={seating} />
        <Fought view={view} game={game} seating={seating} />
      </div>
    </div>
  );
}

type Part = Pick<TableProps, "teller" | "picking"> & { view: VerraeterView };

function Offered({ view, teller, picking }: Part) {
  return (
    <ul class="cards offered">
      {view.you?.offered.map((action) => (
        <li key={action}>
          <Tile thing={`action:${action}`} label={teller.name(action)} picking={picking} class="action-card">
            <ActionMark action={action} />
            <span>{teller.name(action)}</span>
          </Tile>
        </li>
      ))}
    </ul>
  );
}

function Places({ view, seating }: { view: VerraeterView; seating: Seating }) {
  const { teller } = seating;
  const { seats, start_seat: start, strategist_seat: strategist } = view.table;
  return (
    <ul class="seats">
      {seats.map((seat) => (
        <SeatPanel key={seat.seat} seat={seat.seat} {...seating}>
          <p class="allegiance">
            <HouseMark house={seat.house} /> {teller.name(seat.house)} · <b>{say("v.score", { count: seat.score })}</b>
          </p>
          <p>
            {say("v.hand", { count: seat.hand_size })} · {say("v.reserve", { count: seat.reserve })}
          </p>
          <p class="badges">
            {seat.seat === start && (
              <span class="badge">
                <PlainMark kind="start" />
                {say("seat.start")}
              </span>
            )}
            {seat.seat === strategist && (
              <span class="badge">
                <PlainMark kind="strategy" />
                {teller.name("strategy_card")}
              </span>
            )}
            {seat.action !== null && (
              <span class="badge strong">
                <ActionMark action={seat.action} />
                {teller.name(seat.action)}
              </span>
            )}
            {seat.action === null && seat.has_chosen && <span class="badge">{say("v.chosen")}</span>}
            {seat.played !== null && (
              <span class="badge strong">
                {say("v.played", {
                  cards: seat.played.length === 0 ? say("v.nothing") : listed(seat.played.map(String)),
                })}
              </span>
            )}
          </p>
        </SeatPanel>
      ))}
    </ul>
  );
}

/** What the landscapes of the conflict bring to so many winners, what I know of the action cards, and the piles. */
function Fought({ view, game, seating: { card, teller } }: { view: VerraeterView; game: VerraeterGame; seating: Seating }) {
  const { conflict, draw_pile_size: draw, discard_pile: discard, middle_size: middle, seats } = view.table;
  const you = view.you;
  const passed = you?.kept == null ? [] : you.offered.filter((action) => action !== you.kept);
  const lands = (house: string): number => view.table.landscapes.filter((land) => land.house === house).length;
  const points = card.game === "verraeter" ? card.options.landscape_points : [];
  return (
    <div class="panel facts">
      {conflict !== null &&
        ends(conflict.border).map((position) => {
          const type = view.table.landscapes[position]?.type;
          const row = points[game.components.landscapes.findIndex((one) => one.id === type)] ?? [];
          const worth = row.slice(0, seats.length).map((count, winners) => `${"I".repeat(winners + 1)} ${count}`);
          return (
            <p key={position}>
              <HouseMark house={view.table.landscapes[position]?.house ?? ""} />
               <b>{landName(view, position, teller)}</b>: {say("v.defeat", { points: worth.join(" · ") })}
            </p>
          );
        })}
      {you?.kept != null && <p>{say("v.kept", { action: teller.name(you.kept) })}</p>}
      {passed.length > 0 && <p>{say("v.passed", { actions: listed(passed.map(teller.name)) })}</p>}
      <p>
        {teller.name("landscapes")}: <HouseMark house="eagle" /> {lands("eagle")} · <HouseMark house="rose" />{" "}
        {lands("rose")}
      </p>
      <p class="note">{say("v.pile", { draw, discard: discard.length, middle })}</p>
    </div>
  );
}
