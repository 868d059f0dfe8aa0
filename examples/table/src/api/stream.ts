// Server-sent events, read with fetch: a browser's own EventSource sends no Authorization.

import { commonHeaders } from "./client";

export interface ServerSentEvent {
  id: string;
  data: string;
}

/** No sign of life for so long means that the line is dead: the service gives one every few seconds. */
const SILENCE = 45_000;

/** The events of a match after that number, as they happen; ends with the match, or after some minutes. */
export async function* streamOfEvents(
  match: string,
  after: number,
  signal: AbortSignal,
  opened: (response: Response) => void,
): AsyncGenerator<ServerSentEvent> {
  const line = new AbortController();
  const cut = (): void => line.abort();
  signal.addEventListener("abort", cut);
  addEventListener("offline", cut); // what is open now may hang for long; a new one goes on where it ended
  let alive = setTimeout(cut, SILENCE);
  try {
    const response = await fetch(`/v1/matches/${match}/events`, {
      headers: { ...commonHeaders(), Accept: "text/event-stream", "Last-Event-ID": String(after) },
      cache: "no-store",
      signal: line.signal,
    });
    opened(response);
    if (!response.ok || response.body === null) {
      throw new TypeError(`${response.status} instead of a stream`);
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let unread = "";
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      clearTimeout(alive);
      alive = setTimeout(cut, SILENCE);
      const blocks = (unread + (value ?? "")).split(/\r?\n\r?\n/);
      unread = blocks.pop() ?? "";
      yield* blocks.map(parsed).filter((event) => event.data !== "");
    }
  } finally {
    clearTimeout(alive);
    signal.removeEventListener("abort", cut);
    removeEventListener("offline", cut);
    line.abort();
  }
}

/** One event; a comment, which is a sign of life, has no data. */
function parsed(block: string): ServerSentEvent {
  const fields = { id: "", data: "" };
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^(id|data): ?(.*)$/.exec(line) ?? [];
    if (name === "id") {
      fields.id = value ?? "";
    } else if (name === "data") {
      fields.data += (fields.data === "" ? "" : "\n") + (value ?? "");
    }
  }
  return fields;
}
