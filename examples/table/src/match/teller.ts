// Who and what things are called at this table.

import type { Card, GameDetails } from "../api/types";
import { listed, say } from "../words";

export interface Teller {
  /** The service's name of a card, role, move or ending. */
  name: (id: string) => string;
  who: (seat: number) => string;
  all: (seats: number[]) => string;
  /** The reader's seat; null for a spectator. */
  me: number | null;
}

export function makeTeller(card: Card, game: GameDetails): Teller {
  const names = game.names as Record<string, string>;
  const who = (seat: number): string => card.seats[seat]?.name ?? say("seat.nobody", { number: seat + 1 });
  return {
    name: (id) => names[id] ?? id.replaceAll("_", " "),
    who,
    all: (seats) => listed(seats.map(who)),
    me: card.seat,
  };
}
