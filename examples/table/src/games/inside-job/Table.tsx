// The table of Inside Job.

import { PlainMark, SuitMark } from "../../art/Mark";
import type { InsideJobGame, InsideJobView } from "../../api/types";
import { SeatPanel, type Seating } from "../../match/SeatPanel";
import { Tile } from "../../match/Spot";
import { listed, say } from "../../words";
import type { TableProps } from "../game";
import { Face, MissionFace, Progress, missionOf, suitOf } from "./Cards";
import { LastTrick, Trick } from "./Trick";

export function Table({ card, view, game, teller, picking }: TableProps) {
  if (view.game !== "inside_job" || game.game !== "inside_job") {
    return null;
  }
  const { trick, tricks, special_roles: roles, intel_limit: limit, supply, led_suit: led } = view.table;
  const parts = { teller, picking, game };
  return (
    <div class="table inside-job">
      <p class="stage">
        <b>{say("i.trick", { trick, tricks })}</b> · {say("i.limit", { limit })} · {say("i.supply", { count: supply })}
      </p>
      <div class="mission-row">
        <Current view={view} {...parts} />
        <Progress view={view} teller={teller} />
      </div>
      {led !== null && (
        <p class="led">
          <SuitMark suit={led} />
          {say("i.led", { suit: teller.name(led) })}
        </p>
      )}
      {view.table.mission !== null && <Trick view={view} game={game} teller={teller} />}
      {view.you !== null && <Hand you={view.you} {...parts} />}
      <Places view={view} seating={{ card, view, teller, picking }} />
      <p class="note">
        {roles.length === 0 ? say("i.noroles") : say("i.roles", { roles: listed(roles.map(teller.name)) })}
      </p>
      <LastTrick view={view} game={game} teller={teller} />
    </div>
  );
}

type Parts = Pick<TableProps, "teller" | "picking"> & { game: InsideJobGame };

/** The mission of this trick, or the two that I choose from. */
function Current({ view, game, teller, picking }: Parts & { view: InsideJobView }) {
  const { mission, start_seat: start } = view.table;
  const drawn = view.you?.drawn ?? [];
  if (mission === null && drawn.length > 0) {
    return (
      <ul class="cards drawn">
        {drawn.map((id, place) => {
          const one = missionOf(game, id);
          return (
            <li key={place}>
              <Tile thing={`mission:${id}`} label={teller.name(id)} picking={picking} class="mission-card">
                {one !== undefined && <MissionFace mission={one} teller={teller} />}
              </Tile>
            </li>
          );
        })}
      </ul>
    );
  }
  return (
    <div class={mission === null ? "mission-card none" : `mission-card suit-${mission.trump}`}>
      <small>{say("i.mission")}</small>
      {mission === null ? (
        <span>{view.status === "playing" ? say("i.nomission", { who: teller.who(start) }) : "–"}</span>
      ) : (
        <MissionFace mission={mission} teller={teller} />
      )}
    </div>
  );
}

function Hand({ you, game, teller, picking }: Parts & { you: NonNullable<InsideJobView["you"]> }) {
  const order = game.components.cards.map((card) => card.id);
  const hand = [...you.hand].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return (
    <section class="panel hand" aria-labelledby="hand-title">
      <h2 id="hand-title">{say("hand.title")}</h2>
      <p class="role">
        {say("i.role", { role: teller.name(you.role) })}
        {you.partner_role !== null && ` · ${say("i.partner.role", { role: teller.name(you.partner_role) })}`}
        {you.vote !== null && ` · ${say("i.voted", { who: teller.all(you.vote) })}`}
      </p>
      {hand.length === 0 && <p>{say("hand.empty")}</p>}
      <ul class="cards">
        {hand.map((id) => (
          <li key={id}>
            <Tile
              thing={`card:${id}`}
              label={teller.name(id)}
              picking={picking}
              class={`playing-card suit-${suitOf(game, id)}`}
            >
              <Face game={game} id={id} />
            </Tile>
          </li>
        ))}
      </ul>
      {you.discarded.length > 0 && (
        <details>
          <summary>{say("i.discarded")}</summary>
          <p>{listed(you.discarded.map(teller.name))}</p>
        </details>
      )}
    </section>
  );
}

function Places({ view, seating }: { view: InsideJobView; seating: Seating }) {
  const { teller } = seating;
  const { start_seat: start, partner, intel_limit: limit } = view.table;
  return (
    <ul class="seats">
      {view.table.seats.map((seat) => (
        <SeatPanel key={seat.seat} seat={seat.seat} {...seating}>
          <p class="tokens">
            <span aria-hidden="true">
              {Array.from({ length: Math.max(limit, seat.tokens) }, (_, token) => (
                <i key={token} class={token < seat.tokens ? "full" : ""}>
                  <PlainMark kind="intel" />
                </i>
              ))}
            </span>
            {say("i.intel", { count: seat.tokens })} · {say("i.cards", { count: seat.hand_size })}
          </p>
          <p class="badges">
            {seat.seat === start && (
              <span class="badge">
                <PlainMark kind="start" />
                {say("seat.start")}
              </span>
            )}
            {seat.role !== null && (
              <span class="badge strong">
                <PlainMark kind="eye" />
                {say("i.revealed", { role: teller.name(seat.role) })}
              </span>
            )}
            {seat.seat === partner && <span class="badge">{say("i.partner")}</span>}
            {seat.owes_vote && <span class="badge">{say("i.owes")}</span>}
            {seat.votes !== null && (
              <span class="badge strong">{say("i.votes", { who: teller.all(seat.votes) })}</span>
            )}
          </p>
        </SeatPanel>
      ))}
    </ul>
  );
}
