import type { GameOfTheTable } from "../game";
import { describeEntry } from "./log";
import { describeMove, mentions } from "./moves";
import { Table } from "./Table";

export const insideJob: GameOfTheTable = { Table, mentions, describeMove, describeEntry, isPointedAt: () => true };
