import type { ComponentChildren } from "preact";
import { PlainMark, SeatMark } from "../art/Mark";
import type { Card, View } from "../api/types";
import { say } from "../words";
import type { Picking } from "./picking";
import type { Teller } from "./teller";

export interface Seating {
  card: Card;
  view: View;
  teller: Teller;
  picking: Picking;
}

interface Props extends Seating {
  seat: number;
  children: ComponentChildren;
}

/** One player's place at the table; a button while a legal move points at it. */
export function SeatPanel({ card, view, teller, picking, seat, children }: Props) {
  const turn = view.waiting_on.includes(seat);
  const thing = `seat:${seat}`;
  const name = (
    <>
      <SeatMark seat={seat} />
      <strong>{teller.who(seat)}</strong>
    </>
  );
  return (
    <li class={turn ? "seat turn" : "seat"}>
      <div class="seat-name">
        {picking.can(thing) ? (
          <button
            type="button"
            class={`spot can ${picking.fits(thing) ? "fits" : ""} ${picking.has(thing) ? "picked" : ""}`}
            aria-pressed={picking.has(thing)}
            data-thing={thing}
            onClick={() => picking.pick(thing)}
          >
            {name}
          </button>
        ) : (
          <span class="spot">{name}</span>
        )}
        {seat === teller.me && <em>({say("seat.you")})</em>}
        {card.seats[seat]?.stand_in === true && (
          <span class="badge">
            <PlainMark kind="robot" />
            {say("seat.standin")}
          </span>
        )}
        {turn && <span class="badge turn-badge">{say("seat.turn")}</span>}
      </div>
      <div class="seat-facts">{children}</div>
    </li>
  );
}
