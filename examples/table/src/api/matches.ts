// The operations on matches, each as one function. What changes something has an Idempotency-Key.

import { asked, body, type Given, type Patience } from "./asking";
import { client } from "./client";
import type { Card, Game, GameDetails, Guest, Move, NewMatch, View } from "./types";

export async function becomeGuest(name: string): Promise<Guest> {
  return body(await asked(() => client.POST("/v1/players", { body: { name } })));
}

export async function renewToken(): Promise<Guest> {
  return body(await asked(() => client.POST("/v1/players/me/tokens", { body: {} })));
}

export async function listGames(): Promise<Game[]> {
  return body(await asked(() => client.GET("/v1/games"))).items;
}

export async function getGame(game: string): Promise<GameDetails> {
  // The contract names the games there are; one that is new since then is asked for all the same.
  const path = { game: game as GameDetails["game"] };
  return body(await asked(() => client.GET("/v1/games/{game}", { params: { path } })));
}

interface Page {
  items: Card[];
  next_cursor: string | null;
}

/** Page after page, until there is no more or it is enough; a page may be short, or empty, with others behind it. */
async function listed(enough: number, page: (from: { cursor?: string }) => Promise<Page>): Promise<Card[]> {
  const cards: Card[] = [];
  let next: string | null | undefined;
  do {
    const { items, next_cursor } = await page(next == null ? {} : { cursor: next });
    cards.push(...items);
    next = next_cursor;
  } while (next !== null && cards.length < enough);
  return cards;
}

const MANY = 50;

export async function openMatches(): Promise<Card[]> {
  const query = { status: "open", has_open_seat: true, limit: MANY } as const;
  return listed(MANY, async (from) =>
    body(await asked(() => client.GET("/v1/matches", { params: { query: { ...query, ...from } } }))),
  );
}

/** What is being played in public, the newest first. */
export async function runningMatches(): Promise<Card[]> {
  const query = { status: "playing", limit: MANY } as const;
  return listed(MANY, async (from) =>
    body(await asked(() => client.GET("/v1/matches", { params: { query: { ...query, ...from } } }))),
  );
}

/** The newest matches of this player. With an ETag it waits until they are others. */
export async function myMatches(etag: string | null, patience: Patience): Promise<Given<Page>> {
  const header = etag === null ? {} : { "If-None-Match": etag, Prefer: "wait=25" };
  const params = { query: { limit: MANY }, header };
  return asked(() => client.GET("/v1/players/me/matches", { params, signal: patience.signal ?? null }), patience);
}

/** All that wait for this player, however old they are. */
export async function matchesWaitingForMe(patience: Patience): Promise<Card[]> {
  const query = { waiting_on_me: true, limit: MANY } as const;
  const signal = patience.signal ?? null;
  return listed(Infinity, async (from) =>
    body(
      await asked(
        () => client.GET("/v1/players/me/matches", { params: { query: { ...query, ...from } }, signal }),
        patience,
      ),
    ),
  );
}

export async function createMatch(wanted: NewMatch): Promise<Card> {
  const send = (key: string) =>
    client.POST("/v1/matches", { params: { header: { "Idempotency-Key": key } }, body: wanted });
  return body(await asked(send));
}

export async function joinMatch(match: string): Promise<Card> {
  const send = (key: string) =>
    client.POST("/v1/matches/{match}/players", {
      params: { path: { match }, header: { "Idempotency-Key": key } },
      body: {},
    });
  return body(await asked(send));
}

export async function joinByCode(code: string): Promise<Card> {
  const send = (key: string) =>
    client.POST("/v1/join", { params: { header: { "Idempotency-Key": key } }, body: { join_code: code } });
  return body(await asked(send));
}

export async function startMatch(match: string): Promise<Card> {
  const send = (key: string) =>
    client.POST("/v1/matches/{match}/start", {
      params: { path: { match }, header: { "Idempotency-Key": key } },
      body: { stand_ins: true },
    });
  return body(await asked(send));
}

export async function leaveMatch(match: string): Promise<void> {
  await asked(() => client.DELETE("/v1/matches/{match}/players/me", { params: { path: { match } } }));
}

/** Its card, if it is not the one with this ETag; with `wait`, once it is another. */
export async function getMatch(
  match: string,
  etag: string | null,
  wait: boolean,
  patience: Patience,
): Promise<Given<Card>> {
  const header = { ...(etag === null ? {} : { "If-None-Match": etag }), ...(wait ? { Prefer: "wait=25" } : {}) };
  const params = { path: { match }, header };
  return asked(() => client.GET("/v1/matches/{match}", { params, signal: patience.signal ?? null }), patience);
}

/** What this player may see, if it is not what has this ETag. */
export async function getView(match: string, etag: string | null, patience: Patience): Promise<Given<View>> {
  const params = { path: { match }, header: etag === null ? {} : { "If-None-Match": etag } };
  return asked(() => client.GET("/v1/matches/{match}/view", { params, signal: patience.signal ?? null }), patience);
}

/** Answer a decision with one of its legal moves, as it came. */
export async function playMove(match: string, decision: number, move: Move, patience: Patience): Promise<Given<View>> {
  const send = (key: string) =>
    client.POST("/v1/matches/{match}/moves", {
      params: { path: { match }, header: { "Idempotency-Key": key } },
      body: { decision, move },
    });
  return asked(send, patience);
}
