// A match from waiting for players to its result.

import { useEffect, useState } from "preact/hooks";
import { getGame } from "../api/matches";
import type { GameDetails } from "../api/types";
import { ProblemNote } from "../app/ProblemNote";
import { useMatch } from "../state/useMatch";
import { say } from "../words";
import { LineNote } from "./LineNote";
import { TablePage } from "./TablePage";
import { WaitingRoom } from "./WaitingRoom";

function useGame(game: string | undefined): GameDetails | null {
  const [details, setDetails] = useState<GameDetails | null>(null);
  useEffect(() => {
    if (game !== undefined) {
      getGame(game)
        .then(setDetails)
        .catch(() => undefined);
    }
  }, [game]);
  return details;
}

export function MatchPage({ id, ended }: { id: string; ended: () => void }) {
  const match = useMatch(id);
  const { card, view, problem } = match;
  const game = useGame(card?.game);
  useEffect(() => {
    if (problem?.status === 401) {
      ended(); // the token is no good any more: become a guest again
    }
  }, [problem]);

  if (card === null || game === null) {
    return (
      <>
        <LineNote line={match.line} />
        <ProblemNote problem={problem} />
        {problem === null && <p class="loading">{say("loading")}</p>}
      </>
    );
  }
  return (
    <>
      <div class="match-head">
        <h1>
          {game.name}
          {card.name !== null && <small>{card.name}</small>}
        </h1>
        <LineNote line={match.line} />
      </div>
      {view === null ? (
        <WaitingRoom card={card} changed={match.replaceCard} problem={problem} />
      ) : (
        <TablePage match={match} card={card} view={view} game={game} />
      )}
    </>
  );
}
