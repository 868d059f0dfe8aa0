import { useState } from "preact/hooks";
import { Refused } from "../api/asking";
import { joinByCode } from "../api/matches";
import type { Problem } from "../api/types";
import { ProblemNote } from "../app/ProblemNote";
import { matchAddress } from "../app/route";
import { say } from "../words";

/** Where the link to a private match leads: its code is all that is known of it before there is a seat. */
export function JoinPage({ code }: { code: string }) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const join = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const card = await joinByCode(code);
      location.replace(matchAddress(card.match)); // and "back" leads to where the reader came from
    } catch (error) {
      if (error instanceof Refused) {
        setProblem(error.problem);
      }
      setBusy(false);
    }
  };
  return (
    <section class="panel name-form room">
      <h1>{say("join.title")}</h1>
      <p>{say("join.code", { code })}</p>
      <button type="button" class="main" disabled={busy} onClick={() => void join()}>
        {say("lobby.join")}
      </button>
      <ProblemNote problem={problem} />
    </section>
  );
}
