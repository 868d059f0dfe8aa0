// Plays a whole match of a game with the generated types, and with nothing but them.
//
// Run as `play.js ADDRESS GAME SEATS SEED`. Every seat is a guest of its own. The moves are chosen by the seed.

import createClient, { type Client } from "openapi-fetch";
import { type Move, type View, toldOfEvent, toldOfMove, toldOfView } from "./facts.js";
import type { components, paths } from "./turncoat.js";

type Schemas = components["schemas"];
type Problem = Schemas["Problem"];
type NewMatch = Schemas["NewMatch"];
type Media = "application/json" | "application/problem+json";
type Player = Client<paths, Media>;

/** What was asked for; anything else is an error. */
function granted<Answer>(told: { data?: Answer; error?: Problem; response: Response }): Answer {
  if (told.error !== undefined) {
    throw new Error(`${told.error.status} ${told.error.code}: ${told.error.title}`);
  }
  if (told.data === undefined) {
    throw new Error(`${told.response.status} without a body`);
  }
  return told.data;
}

/** A match of a game, with options that are not the defaults. */
function newMatch(game: string | undefined, seats: number): NewMatch {
  switch (game) {
    case "verraeter": {
      const options: Schemas["VerraeterOptions"] = { first_strategist: "left_of_start_player" };
      return { game, seats, visibility: "public", options };
    }
    case "kabale": {
      const options: Schemas["KabaleOptions"] = { witch_spares_witches: true };
      return { game, seats, visibility: "public", options };
    }
    case "inside_job": {
      const options: Schemas["InsideJobOptions"] = { wagers: true, random_roles: 1 };
      return { game, seats, visibility: "public", options };
    }
    default:
      throw new Error(`no game is called ${game}`);
  }
}

function client(baseUrl: string, token?: string): Player {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return createClient<paths, Media>({ baseUrl, headers });
}

/** A match that has begun, and its players by seat. */
async function sitDown(address: string, wanted: NewMatch): Promise<{ id: string; players: Player[] }> {
  const visitor = client(address);
  const players: Player[] = [];
  for (let seat = 0; seat < wanted.seats; seat++) {
    const guest = granted(await visitor.POST("/v1/players", { body: { name: `Guest ${seat}` } }));
    players.push(client(address, guest.token));
  }
  const [creator, ...others] = players;
  if (creator === undefined) {
    throw new Error("nobody plays");
  }
  let card = granted(await creator.POST("/v1/matches", { body: wanted }));
  for (const player of others) {
    const params = { path: { match: card.match } };
    card = granted(await player.POST("/v1/matches/{match}/players", { params, body: {} }));
  }
  if (card.status !== "playing") {
    throw new Error(`the match is ${card.status}`);
  }
  return { id: card.match, players };
}

/** One of the legal moves, as it is, for whatever is asked. */
function answerTo(view: View, number: number): Schemas["NewMove"] {
  const decision = view.you?.decision;
  const moves: readonly Move[] = decision?.legal_moves ?? [];
  const move = moves[number % moves.length];
  if (!decision || move === undefined) {
    throw new Error("somebody is waited for and is asked nothing");
  }
  return { decision: decision.id, move };
}

/** A match as its players see it, and what was counted of it. */
class Match {
  readonly facts = new Map<string, string>();
  moves = 0;
  events = 0;
  private seen = 0;

  constructor(
    private readonly id: string,
    private readonly players: Player[],
    private readonly seed: number,
  ) {}

  player(seat: number): Player {
    const player = this.players[seat];
    if (player === undefined) {
      throw new Error(`nobody sits in seat ${seat}`);
    }
    return player;
  }

  note(name: string, fact: () => string): void {
    if (!this.facts.has(name)) {
      this.facts.set(name, fact());
    }
  }

  /** Read what has happened, waiting for it if it must be; tells whether the match is over. */
  async follow(): Promise<boolean> {
    const params = {
      path: { match: this.id },
      query: { after: this.seen, limit: 100 },
      header: { Prefer: "wait=20" },
    };
    const page = granted(await this.player(0).GET("/v1/matches/{match}/events", { params }));
    if (typeof page === "string") {
      throw new Error("a stream, where a list was asked for");
    }
    for (const entry of page.items) {
      this.seen = entry.number;
      this.events++;
      this.note(entry.event.type, () => toldOfEvent(entry));
    }
    return page.status !== "playing" && this.seen === page.latest;
  }

  async view(seat: number): Promise<View> {
    return granted(await this.player(seat).GET("/v1/matches/{match}/view", { params: { path: { match: this.id } } }));
  }

  /** Let everybody who is asked answer. */
  async move(): Promise<void> {
    const params = { path: { match: this.id } };
    const card = granted(await this.player(0).GET("/v1/matches/{match}", { params }));
    for (const seat of card.waiting_on) {
      const view = await this.view(seat);
      this.note(view.game, () => toldOfView(view));
      const body = answerTo(view, this.seed + this.moves);
      this.note(body.move.type, () => toldOfMove(body.move));
      granted(await this.player(seat).POST("/v1/matches/{match}/moves", { params, body }));
      this.moves++;
      if (this.moves === 1) {
        // A double tap is a problem with a code.
        const twice = await this.player(seat).POST("/v1/matches/{match}/moves", { params, body });
        this.note("twice", () => `${twice.error?.status} ${twice.error?.code}`);
      }
    }
  }

  /** How it ended, in words, after a look at the replay. */
  async ending(game: NewMatch["game"]): Promise<string> {
    const params = { path: { match: this.id } };
    const { result } = await this.view(this.players.length - 1);
    const replay = granted(await this.player(0).GET("/v1/matches/{match}/replay", { params }));
    const details = granted(await this.player(0).GET("/v1/games/{game}", { params: { path: { game } } }));
    if (!result || replay.moves.length !== this.moves || replay.result.ending !== result.ending) {
      throw new Error("the replay is of another match");
    }
    return `${details.names[result.ending]}`;
  }
}

async function main([address, game, seats, seed]: string[]): Promise<void> {
  if (address === undefined) {
    throw new Error("play.js ADDRESS GAME SEATS SEED");
  }
  const wanted = newMatch(game, Number(seats));
  const { id, players } = await sitDown(address, wanted);
  const match = new Match(id, players, Number(seed));
  while (!(await match.follow())) {
    await match.move();
  }
  const ending = await match.ending(wanted.game);
  for (const [name, fact] of match.facts) {
    console.log(`${name}: ${fact}`);
  }
  console.log(`ending: ${ending}`);
  console.log(`played match=${id} game=${wanted.game} moves=${match.moves} events=${match.events}`);
}

await main(process.argv.slice(2));
