import { insideJob } from "./inside-job";
import { kabale } from "./kabale";
import type { GameOfTheTable } from "./game";
import { unknownGame } from "./unknown";
import { verraeter } from "./verraeter";

const GAMES: Partial<Record<string, GameOfTheTable>> = { verraeter, kabale, inside_job: insideJob };

/** How a game is shown; one that is new since this client was written can still be played, from the list of moves. */
export function gameOf(game: string): GameOfTheTable {
  return GAMES[game] ?? unknownGame;
}
