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
  let failures = 0;
  let polls = 0;
  const take = (entries: LogEntry[]): void => {
    const news = entries.filter((entry) => entry.number > after);
    after = news.at(-1)?.number ?? after;
    if (news.length > 0) {
      listener.entries(news);
    }
  };
  for (;;) {
    try {
      if (failures < STREAMS_THAT_MAY_FAIL) {
        await readStream(match, after, take, listener, signal);
        failures = 0;
      }
      // A stream that has ended tells not why; the list does.
      const waiting = failures >= STREAMS_THAT_MAY_FAIL;
      const page = await poll(match, after, waiting ? WAIT : 0, listener, signal);
      take(page.items);
      if (page.status !== "playing" && after >= page.latest) {
        return;
      }
      if (waiting && ++polls % POLLS_BEFORE_THE_NEXT_STREAM === 0) {
        failures = 0;
      }
    } catch (error) {
      if (signal.aborted || !isOfTheLine(error)) {
        throw error;
      }
      failures++;
      listener.line("lost");
      await pause(pauseAfter(failures), signal);
    }
  }
}

/** Whether it went wrong on the way: fetch fails with a TypeError, and what we cut ourselves with an AbortError. */
function isOfTheLine(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof DOMException && error.name === "AbortError");
}

async function readStream(
  match: string,
  after: number,
  take: (entries: LogEntry[]) => void,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const opened = (response: Response): void => {
    if (response.ok) {
      listener.line("live");
    }
  };
  for await (const event of streamOfEvents(match, after, signal, opened)) {
    take([JSON.parse(event.data) as LogEntry]);
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
    if (!yes || seconds > 0) {
      listener.line(yes ? "polling" : "lost");
    }
  };
  const send = () => client.GET("/v1/matches/{match}/events", { params, signal });
  const page = body(await asked(send, { signal, reachable }));
  if (typeof page === "string") {
    throw new TypeError("a stream, where a list was asked for");
  }
  return page;
}
