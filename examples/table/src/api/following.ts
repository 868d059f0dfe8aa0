// Following what happens in a match: by a stream where there is one, else by long-polls, and again after every cut.

import { asked, body, pause, pauseAfter } from "./asking";
import { client } from "./client";
import { streamOfEvents } from "./stream";
import type { LogEntry } from "./types";

/** How news comes: live, by asking again and again, or not at the moment. */
export type Line = "connecting" | "live" | "polling" | "lost";

export interface Listener {
  entries: (entries: LogEntry[]) => void;
  line: (line: Line) => void;
}

const WAIT = 25;
const STREAMS_THAT_MAY_FAIL = 2;
const POLLS_BEFORE_THE_NEXT_STREAM = 8;

/** Tell the listener every event once, in order, until the match is over. */
export async function follow(match: string, listener: Listener, signal: AbortSignal): Promise<void> {
  let after = 0;
  let failed = 0; // streams, one after the other, while other requests are answered
  const take = (entries: LogEntry[]): void => {
    const news = entries.filter((entry) => entry.number > after);
    after = news.at(-1)?.number ?? after;
    if (news.length > 0) {
      listener.entries(news);
    }
  };
  for (let polls = 1; ; polls++) {
    const streaming = failed < STREAMS_THAT_MAY_FAIL || polls % POLLS_BEFORE_THE_NEXT_STREAM === 0;
    if (streaming) {
      failed = (await hasStreamed(match, after, take, listener, signal)) ? 0 : failed + 1;
    }
    // A stream that has ended tells not why; the list does, and waits for what is new if there are no streams.
    const page = await poll(match, after, streaming ? 0 : WAIT, listener, signal);
    take(page.items);
    if (page.status !== "playing" && after >= page.latest) {
      return;
    }
    if (failed > 0) {
      listener.line("polling");
    }
    if (streaming) {
      await pause(pauseAfter(failed + 1), signal);
    }
  }
}

/** Whether it went wrong on the way: fetch fails with a TypeError, and what we cut ourselves with an AbortError. */
function isOfTheLine(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === "AbortError");
}

/** Read a stream to its end; false if there was none, or it broke. */
async function hasStreamed(
  match: string,
  after: number,
  take: (entries: LogEntry[]) => void,
  listener: Listener,
  signal: AbortSignal,
): Promise<boolean> {
  const opened = (response: Response): void => {
    if (response.ok) {
      listener.line("live");
    }
  };
  try {
    for await (const event of streamOfEvents(match, after, signal, opened)) {
      take([JSON.parse(event.data) as LogEntry]);
    }
    return true;
  } catch (error) {
    if (signal.aborted || !isOfTheLine(error)) {
      throw error;
    }
    return false;
  }
}

interface Page {
  items: LogEntry[];
  status: string;
  latest: number;
}

async function poll(
  match: string,
  after: number,
  seconds: number,
  listener: Listener,
  signal: AbortSignal,
): Promise<Page> {
  const header = seconds > 0 ? { Prefer: `wait=${seconds}` } : {};
  const params = { path: { match }, query: { after, limit: 100 }, header };
  const reachable = (yes: boolean): void => {
    if (!yes) {
      listener.line("lost");
    }
  };
  const send = () => client.GET("/v1/matches/{match}/events", { params, signal });
  const page = body(await asked(send, { signal, reachable }));
  if (typeof page === "string") {
    throw new TypeError("a stream, where a list was asked for");
  }
  return page;
}
