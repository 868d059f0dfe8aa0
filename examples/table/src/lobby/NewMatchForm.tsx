// Creating a match, with the options of its game.

import { useEffect, useState } from "preact/hooks";
import { Refused } from "../api/asking";
import { createMatch, getGame, startMatch } from "../api/matches";
import type { Game, GameDetails, NewMatch, Problem } from "../api/types";
import { ProblemNote } from "../app/ProblemNote";
import { goToMatch } from "../app/route";
import { say } from "../words";
import { OptionFields, type Options, optionsOf } from "./options";

const TIMES: [number, () => string][] = [
  [0, () => say("new.time.none")],
  [30, () => say("new.time.seconds", { count: 30 })],
  [120, () => say("new.time.minutes", { count: 2 })],
  [600, () => say("new.time.minutes", { count: 10 })],
  [86_400, () => say("new.time.day")],
];

export function NewMatchForm({ games }: { games: Game[] }) {
  const [id, setId] = useState(games[0]?.game ?? "");
  const [seats, setSeats] = useState(0);
  const [name, setName] = useState("");
  const [visibility, setVisibility] = useState<"public" | "private">("public");
  const [time, setTime] = useState(0);
  const [options, setOptions] = useState<Options>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const [details, setDetails] = useState<GameDetails | null>(null);
  const game = games.find((other) => other.game === id);
  useEffect(() => {
    setOptions({});
    setSeats(0);
    setDetails(null);
    getGame(id).then(setDetails, () => undefined);
  }, [id]);
  if (game === undefined) {
    return null;
  }
  const create = async (alone: boolean): Promise<void> => {
    setBusy(true);
    setProblem(null);
    const wanted = {
      game: game.game,
      seats: seats === 0 ? (game.seats[0] ?? 0) : seats,
      visibility: alone ? "private" : visibility,
      options,
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(time === 0 ? {} : { move_seconds: time }),
    };
    try {
      // The options follow the schema that came with the game; the service judges them.
      const card = await createMatch(wanted as NewMatch);
      if (alone) {
        await startMatch(card.match);
      }
      goToMatch(card.match);
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
      class="panel new-match"
      noValidate // a field in closed details cannot be pointed at; the service says in words what is wrong
      onSubmit={(event) => {
        event.preventDefault();
        void create(event.submitter?.getAttribute("value") === "alone");
      }}
    >
      <h2>{say("lobby.new")}</h2>
      <fieldset class="games">
        <legend>{say("new.game")}</legend>
        {games.map((other) => (
          <label key={other.game} class={`game-choice game-${other.game}`}>
            <input
              type="radio"
              name="game"
              value={other.game}
              checked={other.game === id}
              onChange={() => setId(other.game)}
            />
            <span>{other.name}</span>
          </label>
        ))}
      </fieldset>
      <div class="fields">
        <label>
          {say("new.seats")}
          <select name="seats" onChange={(event) => setSeats(Number(event.currentTarget.value))}>
            {game.seats.map((count) => (
              <option key={`${id}-${count}`} value={count} selected={count === (seats === 0 ? game.seats[0] : seats)}>
                {count}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say("new.visibility")}
          <select
            name="visibility"
            onChange={(event) => setVisibility(event.currentTarget.value === "private" ? "private" : "public")}
          >
            <option value="public">{say("new.public")}</option>
            <option value="private">{say("new.private")}</option>
          </select>
        </label>
        <label>
          {say("new.time")}
          <select name="time" onChange={(event) => setTime(Number(event.currentTarget.value))}>
            {TIMES.map(([seconds, words]) => (
              <option key={seconds} value={seconds}>
                {words()}
              </option>
            ))}
          </select>
          <small>{say("new.time.note")}</small>
        </label>
        <label>
          {say("new.name")}
          <input name="name" maxLength={60} value={name} onInput={(event) => setName(event.currentTarget.value)} />
        </label>
      </div>
      <details>
        <summary>{say("new.options")}</summary>
        <OptionFields schema={optionsOf(game)} names={details?.names ?? {}} chosen={options} choose={setOptions} />
      </details>
      <div class="actions">
        <button type="submit" class="main" value="create" disabled={busy}>
          {say("new.create")}
        </button>
        <button type="submit" value="alone" disabled={busy}>
          {say("new.alone")}
        </button>
      </div>
      <ProblemNote problem={problem} />
    </form>
  );
}
