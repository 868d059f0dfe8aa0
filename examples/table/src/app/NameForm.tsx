import { useState } from "preact/hooks";
import { Refused } from "../api/asking";
import { becomeGuest } from "../api/matches";
import type { Problem } from "../api/types";
import { storePlayer } from "../state/storage";
import { say } from "../words";
import { ProblemNote } from "./ProblemNote";

/** Who has no token becomes a guest; nothing else is needed to play. */
export function NameForm({ named }: { named: () => void }) {
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const submit = async (): Promise<void> => {
    setBusy(true);
    try {
      storePlayer(await becomeGuest(name.trim()));
      named();
    } catch (error) {
      if (error instanceof Refused) {
        setProblem(error.problem);
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="panel name-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h1>{say("name.title")}</h1>
      <label>
        {say("name.label")}
        <input
          name="name"
          required
          maxLength={30}
          pattern=".*\S.*"
          autoComplete="nickname"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="main" disabled={busy}>
        {say("name.go")}
      </button>
      <ProblemNote problem={problem} />
    </form>
  );
}
