// What a game tells the rest of the client: how it is drawn, and how its moves and events are put into words.

import type { ComponentType } from "preact";
import type { Card, GameDetails, LogEntry, Move, View } from "../api/types";
import type { Picking } from "../match/picking";
import type { Teller } from "../match/teller";

export interface Scene {
  view: View;
  teller: Teller;
}

export interface TableProps {
  card: Card;
  view: View;
  game: GameDetails;
  teller: Teller;
  picking: Picking;
}

export interface GameOfTheTable {
  Table: ComponentType<TableProps>;
  /** The things on the table that a move has to do with. */
  mentions: (move: Move) => string[];
  describeMove: (move: Move, scene: Scene) => string;
  /** A sentence; null for what is not worth one. */
  describeEntry: (entry: LogEntry, scene: Scene) => string | null;
  /** Whether decisions of this kind are listed as moves too; else the table has a way of its own. */
  isPointedAt: (kind: string) => boolean;
}
