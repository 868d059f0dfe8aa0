// Finding a match: mine, those that wait for players, one by its code, or a new one.

import { useCallback, useEffect, useState } from "preact/hooks";
import { Refused } from "../api/asking";
import { joinByCode, listGames, openMatches, runningMatches } from "../api/matches";
import type { Card, Game, Problem } from "../api/types";
import { ProblemNote } from "../app/ProblemNote";
import { goToMatch } from "../app/route";
import { useMyMatches } from "../state/useMyMatches";
import { say } from "../words";
import { MatchRow } from "./MatchRow";
import { NewMatchForm } from "./NewMatchForm";

export function Lobby({ ended }: { ended: () => void }) {
  const [games, setGames] = useState<Game[]>([]);
  const [open, setOpen] = useState<Card[] | null>(null);
  const [running, setRunning] = useState<Card[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const refused = useCallback((error: unknown): void => {
    if (error instanceof Refused) {
      setProblem(error.problem);
      if (error.problem.status === 401) {
        ended(); // the token is no good any more: become a guest again
      }
    }
  }, []);
  const mine = useMyMatches(refused);
  const look = useCallback((): void => {
    openMatches().then(setOpen, refused);
    runningMatches().then(setRunning, refused);
  }, []);
  useEffect(() => {
    listGames().then(setGames, refused);
    look();
  }, []);
  useEffect(() => {
    const looking = setInterval(() => {
      if (!document.hidden) {
        look();
      }
    }, 10_000);
    return () => clearInterval(looking);
  }, []);

  const nameOf = (card: Card): string => games.find((game) => game.game === card.game)?.name ?? card.game;
  const others = open?.filter((card) => card.seat === null) ?? [];
  const watchable = running.filter((card) => card.seat === null);
  return (
    <div class="lobby">
      <div class="lists">
        <section class="panel" aria-labelledby="mine-title">
          <h1 id="mine-title">{say("lobby.mine")}</h1>
          {mine.length === 0 ? (
            <p>{say("lobby.mine.none")}</p>
          ) : (
            <ul class="rows">
              {mine.map((card) => (
                <MatchRow key={card.match} card={card} game={nameOf(card)} refused={refused} />
              ))}
            </ul>
          )}
        </section>
        <section class="panel" aria-labelledby="open-title">
          <div class="title-row">
            <h2 id="open-title">{say("lobby.open")}</h2>
            <button type="button" class="quiet" onClick={look}>
              {say("lobby.refresh")}
            </button>
          </div>
          {others.length === 0 ? (
            <p>{say("lobby.open.none")}</p>
          ) : (
            <ul class="rows">
              {others.map((card) => (
                <MatchRow key={card.match} card={card} game={nameOf(card)} refused={refused} />
              ))}
            </ul>
          )}
          <CodeForm refused={refused} />
          <ProblemNote problem={problem} />
        </section>
        {watchable.length > 0 && (
          <section class="panel" aria-labelledby="running-title">
            <h2 id="running-title">{say("lobby.running")}</h2>
            <ul class="rows">
              {watchable.map((card) => (
                <MatchRow key={card.match} card={card} game={nameOf(card)} refused={refused} />
              ))}
            </ul>
          </section>
        )}
      </div>
      {games.length > 0 && <NewMatchForm games={games} />}
    </div>
  );
}

function CodeForm({ refused }: { refused: (error: unknown) => void }) {
  const [code, setCode] = useState("");
  return (
    <form
      class="code-form"
      onSubmit={(event) => {
        event.preventDefault();
        joinByCode(code.trim()).then((card) => goToMatch(card.match), refused);
      }}
    >
      <label>
        {say("lobby.code")}
        <input
          required
          autoComplete="off"
          aria-label={say("lobby.code.label")}
          value={code}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{say("lobby.join")}</button>
    </form>
  );
}
