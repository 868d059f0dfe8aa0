// A game that this client has never heard of: no drawing, but every legal move by its name.

import type { GameOfTheTable } from "./game";

export const unknownGame: GameOfTheTable = {
  Table: () => null,
  mentions: () => [],
  describeMove: (move, { teller }) => {
    const { type, ...rest } = move;
    const values = Object.values(rest).flat().map((value) => teller.name(String(value)));
    return [teller.name(type), ...values].join(" · ");
  },
  describeEntry: ({ event }, { teller }) => teller.name(event.type),
  isPointedAt: () => true,
};
