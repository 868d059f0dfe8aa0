// The table of a running or finished match: what is asked, the drawing of its game, the result and the log.

import { ProblemNote } from "../app/ProblemNote";
import { goToLobby } from "../app/route";
import { leaveMatch } from "../api/matches";
import type { Card, GameDetails, LogEntry, Move, View } from "../api/types";
import { gameOf } from "../games";
import type { Match } from "../state/useMatch";
import { say } from "../words";
import { Ask } from "./Ask";
import { Log } from "./Log";
import { MoveList } from "./MoveList";
import { type Decision, usePicking } from "./picking";
import { ResultPanel } from "./ResultPanel";
import { makeTeller } from "./teller";

interface Props {
  match: Match;
  card: Card;
  view: View;
  game: GameDetails;
}

export function TablePage({ match, card, view, game }: Props) {
  const teller = makeTeller(card, game);
  const { mentions, describeMove, describeEntry, isPointedAt, Table } = gameOf(view.game);
  const decision: Decision | null = match.sending ? null : (view.you?.decision ?? null);
  const picking = usePicking(decision, mentions, match.play);
  const describe = (move: Move): string => describeMove(move, { view, teller });
  const leave = (): void => {
    if (confirm(say("room.leave.sure"))) {
      leaveMatch(card.match).then(goToLobby, () => undefined);
    }
  };
  return (
    <div class="match">
      <div class="play">
        <div class={picking.picked.length > 0 ? "asking begun" : "asking"}>
          <Ask card={card} view={view} teller={teller} sending={match.sending} />
          {isPointedAt(decision?.kind ?? "") && (
            <MoveList picking={picking} describe={describe} isUnseen={(move) => mentions(move).length === 0} />
          )}
        </div>
        <ProblemNote problem={match.problem} />
        {view.result !== null && <ResultPanel result={view.result} teller={teller} />}
        <Table card={card} view={view} game={game} teller={teller} picking={picking} />
      </div>
      <aside>
        <Log entries={match.entries} describe={(entry: LogEntry) => describeEntry(entry, { view, teller })} />
        {card.seat !== null && view.status === "playing" && (
          <button type="button" class="quiet" onClick={leave}>
            {say("room.leave")}
          </button>
        )}
      </aside>
    </div>
  );
}
