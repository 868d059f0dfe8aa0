import type { GameOfTheTable } from "../game";
import { describeEntry } from "./log";
import { describeMove, mentions } from "./moves";
import { Table } from "./Table";

export const verraeter: GameOfTheTable = {
  Table,
  mentions,
  describeMove,
  describeEntry,
  isPointedAt: (kind) => kind !== "play_supplies", // the hand has a button of its own: thirty choices make no list
};
