// What has happened, in sentences; the newest first.

import type { LogEntry } from "../api/types";
import { say } from "../words";
import { language } from "../words/language";

interface Props {
  entries: LogEntry[];
  describe: (entry: LogEntry) => string | null;
}

export function Log({ entries, describe }: Props) {
  const time = new Intl.DateTimeFormat(language(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const lines = entries
    .map((entry) => ({ entry, words: describe(entry) }))
    .filter(({ words }) => words !== null)
    .reverse();
  return (
    <section class="panel log" aria-labelledby="log-title">
      <h2 id="log-title">{say("log.title")}</h2>
      {lines.length === 0 && <p>{say("log.none")}</p>}
      <ol tabIndex={0} aria-labelledby="log-title">
        {lines.map(({ entry, words }) => (
          <li key={entry.number} value={entry.number}>
            <time dateTime={entry.at}>{time.format(new Date(entry.at))}</time> {words}
          </li>
        ))}
      </ol>
    </section>
  );
}
