// The matches of this player, kept up to date by one waiting request for all of them.

import { useEffect, useState } from "preact/hooks";
import { pause } from "../api/asking";
import { matchesWaitingForMe, myMatches } from "../api/matches";
import type { Card } from "../api/types";

const ORDER = ["playing", "open", "finished", "cancelled"];

function waitsForMe(card: Card): boolean {
  return card.status === "playing" && card.seat !== null && card.waiting_on.includes(card.seat);
}

/** Those that wait for me come first. */
export function sorted(cards: Card[]): Card[] {
  const rank = (card: Card): number => (waitsForMe(card) ? -1 : ORDER.indexOf(card.status));
  return [...cards].sort((a, b) => rank(a) - rank(b));
}

export function useMyMatches(refused: (error: unknown) => void): Card[] {
  const [cards, setCards] = useState<Card[]>([]);
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const run = async (): Promise<void> => {
      let etag: string | null = null;
      while (!signal.aborted) {
        const { data, response } = await myMatches(etag, { signal });
        etag = response.headers.get("ETag") ?? etag;
        if (data !== undefined) {
          const newest = data.items;
          const waiting = data.next_cursor === null ? [] : await matchesWaitingForMe({ signal });
          const older = waiting.filter((card) => !newest.some((other) => other.match === card.match));
          setCards(sorted([...newest, ...older]));
        }
        await pause(1, signal); // matches in full swing change all the time
      }
    };
    run().catch((error: unknown) => {
      if (!signal.aborted) {
        refused(error);
      }
    });
    return () => ending.abort();
  }, []);
  return cards;
}
