// A match on the screen: its card, what this player may see, what has happened, and the one way to play a move.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Refused } from "../api/asking";
import { type Line, follow } from "../api/following";
import { getMatch, getView, playMove } from "../api/matches";
import type { Card, LogEntry, Move, Problem, View } from "../api/types";

export interface Match {
  card: Card | null;
  view: View | null;
  entries: LogEntry[];
  line: Line;
  /** Why there is nothing to see, or why the last move was refused. */
  problem: Problem | null;
  /** Whether a move is on its way. */
  sending: boolean;
  play: (decision: number, move: Move) => void;
  /** What the card is now, for who has just changed it. */
  replaceCard: (card: Card) => void;
}

/** Reads card and view again, and only if they are others; never twice at once. */
class Reader {
  private cardTag: string | null = null;
  private viewTag: string | null = null;
  private reading: Promise<void> | null = null;
  private again = false;

  constructor(
    private readonly match: string,
    private readonly signal: AbortSignal,
    private readonly show: { card: (card: Card) => void; view: (view: View) => void; reachable: (yes: boolean) => void },
  ) {}

  /** The card, waiting for another one if there is one already. */
  async card(wait: boolean): Promise<Card | undefined> {
    const patience = { signal: this.signal, reachable: this.show.reachable };
    const { data, response } = await getMatch(this.match, this.cardTag, wait && this.cardTag !== null, patience);
    this.cardTag = response.headers.get("ETag") ?? this.cardTag;
    if (data !== undefined) {
      this.show.card(data);
    }
    return data;
  }

  private async view(): Promise<void> {
    const patience = { signal: this.signal, reachable: this.show.reachable };
    const { data, response } = await getView(this.match, this.viewTag, patience);
    this.viewTag = response.headers.get("ETag") ?? this.viewTag;
    if (data !== undefined) {
      this.show.view(data);
    }
  }

  /** Both, as they are now; whoever asks meanwhile has it done once more. */
  refresh(): Promise<void> {
    this.again = true;
    this.reading ??= (async () => {
      try {
        while (this.again) {
          this.again = false;
          await Promise.all([this.card(false), this.view()]);
        }
      } finally {
        this.reading = null;
      }
    })();
    return this.reading;
  }
}

export function useMatch(id: string): Match {
  const [card, setCard] = useState<Card | null>(null);
  const [view, setView] = useState<View | null>(null);
  const [entries, setEntries] = useState<LogEntry[]>([]);
  const [line, setLine] = useState<Line>("connecting");
  const [reachable, setReachable] = useState(true);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [sending, setSending] = useState(false);
  const reader = useRef<Reader | null>(null);
  const answered = useRef<number | null>(null);

  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const reading = new Reader(id, signal, { card: setCard, view: setView, reachable: setReachable });
    reader.current = reading;
    const failed = (error: unknown): void => {
      if (error instanceof Refused && !signal.aborted) {
        setProblem(error.problem);
      }
    };
    const run = async (): Promise<void> => {
      let now = await reading.card(false);
      while (now === undefined || now.status === "open") {
        setLine("live");
        now = (await reading.card(true)) ?? now;
      }
      if (now.status === "cancelled" && now.started_at === null) {
        return;
      }
      await reading.refresh();
      const listener = {
        entries: (news: LogEntry[]) => {
          setEntries((known) => [...known, ...news.filter((entry) => entry.number > (known.at(-1)?.number ?? 0))]);
          reading.refresh().catch(failed);
        },
        line: setLine,
      };
      await follow(id, listener, signal);
      await reading.refresh();
      setLine("live");
    };
    run().catch(failed);
    return () => {
      ending.abort();
      reader.current = null;
      setCard(null);
      setView(null);
      setEntries([]);
      setProblem(null);
      setLine("connecting");
      answered.current = null;
    };
  }, [id]);

  const play = useCallback(
    (decision: number, move: Move) => {
      if (answered.current === decision) {
        return; // a double click: the first one is on its way
      }
      answered.current = decision;
      setSending(true);
      setProblem(null);
      const done = (): Promise<void> | undefined => reader.current?.refresh();
      playMove(id, decision, move, { reachable: setReachable })
        .catch((error: unknown) => {
          if (error instanceof Refused) {
            setProblem(error.problem);
            answered.current = null;
          }
        })
        .then(done)
        .catch(() => undefined)
        .finally(() => setSending(false));
    },
    [id],
  );

  return { card, view, entries, line: reachable ? line : "lost", problem, sending, play, replaceCard: setCard };
}
