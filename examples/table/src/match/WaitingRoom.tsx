import { useState } from "preact/hooks";
import { Refused } from "../api/asking";
import { joinMatch, leaveMatch, startMatch } from "../api/matches";
import type { Card, Problem } from "../api/types";
import { ProblemNote } from "../app/ProblemNote";
import { goToLobby, joinAddress } from "../app/route";
import { SeatMark } from "../art/Mark";
import { say } from "../words";

interface Props {
  card: Card;
  changed: (card: Card) => void;
  problem: Problem | null;
}

/** What to send to others: nobody else can see a private match, so the link to it brings its code. */
function invitation(card: Card): string {
  const hidden = card.visibility === "private" && card.join_code !== null;
  return hidden ? new URL(joinAddress(card.join_code ?? ""), location.href).href : location.href;
}

/** Before the start: who sits there, how others get in, and the button that starts it. */
export function WaitingRoom({ card, changed, problem }: Props) {
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const attempt = (action: () => Promise<void>) => (): void => {
    setBusy(true);
    setRefusal(null);
    action()
      .catch((error: unknown) => {
        if (error instanceof Refused) {
          setRefusal(error.problem);
        }
      })
      .finally(() => setBusy(false));
  };
  if (card.status === "cancelled") {
    return <p class="panel">{say("room.cancelled")}</p>;
  }
  return (
    <section class="panel room">
      <h2>{say("room.title")}</h2>
      <ul class="room-seats">
        {card.seats.map((seat) => (
          <li key={seat.seat} class={seat.name === null ? "free" : "taken"}>
            <SeatMark seat={seat.seat} />
            {seat.name ?? say("room.free")}
            {seat.seat === card.seat && ` (${say("seat.you")})`}
          </li>
        ))}
      </ul>
      {card.seat === null && card.seats.some((seat) => seat.name === null) && (
        <button
          type="button"
          class="main"
          disabled={busy}
          onClick={attempt(async () => changed(await joinMatch(card.match)))}
        >
          {say("lobby.join")}
        </button>
      )}
      {card.seat !== null && (
        <>
          <h3>{say("room.share")}</h3>
          <Share label={say("room.share.link")} text={invitation(card)} />
          {card.join_code !== null && <Share label={say("room.share.code")} text={card.join_code} />}
          <div class="actions">
            <button
              type="button"
              class="main"
              disabled={busy}
              onClick={attempt(async () => changed(await startMatch(card.match)))}
            >
              {say("room.start")}
            </button>
            <button
              type="button"
              class="quiet"
              disabled={busy}
              onClick={attempt(async () => {
                await leaveMatch(card.match);
                goToLobby();
              })}
            >
              {say("room.leave")}
            </button>
          </div>
          <p class="note">{say("room.startmine")}</p>
        </>
      )}
      <ProblemNote problem={refusal ?? problem} />
    </section>
  );
}

function Share({ label, text }: { label: string; text: string }) {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => undefined, // the browser does not allow it; the text can be selected
    );
  };
  return (
    <label class="share">
      {label}
      <span>
        <input readOnly value={text} onFocus={(event) => event.currentTarget.select()} />
        <button type="button" onClick={copy}>
          {say(copied ? "room.copied" : "room.copy")}
        </button>
      </span>
    </label>
  );
}
