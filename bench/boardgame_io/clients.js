// Clients of boardgame.io's server: node clients.js address. They do what they are told, a line at a time:
//
//   create <matches> <sockets>   make matches by its lobby, take all seats, connect so many players of each
//   play <moves>                 play so many moves of each, all matches at once, and say how long it took
//   leave                        disconnect all
//
// The deal is the same in each match, so the moves are known before, and clients have nothing to think about.
"use strict";

const readline = require("node:readline");
const { io } = require("socket.io-client");
const { Client } = require("boardgame.io/client");
const { Tricks, PLAYERS, legalCards } = require("./game");

const [address] = process.argv.slice(2);

const course = () => {
  const { playerView: _, ...open } = Tricks; // here everything is to be seen
  const moves = open.moves.play.move;
  const client = Client({ game: { ...open, moves: { play: moves } }, numPlayers: PLAYERS, debug: false });
  const played = [];
  for (let state = client.getState(); !state.ctx.gameover; state = client.getState()) {
    const player = state.ctx.currentPlayer;
    const [card] = legalCards(state.G.hands[Number(player)], state.G.trick);
    played.push({ player, card });
    client.moves.play(card);
  }
  return played;
};

const MOVES = course();

const post = async (path, body) => {
  const answer = await fetch(`${address}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
};

class Match {
  async enter(sockets) {
    this.id = (await post("/games/tricks/create", { numPlayers: PLAYERS })).matchID;
    this.credentials = [];
    for (let player = 0; player < PLAYERS; player += 1) {
      const body = { playerID: `${player}`, playerName: `Player ${player}` };
      this.credentials.push((await post(`/games/tricks/${this.id}/join`, body)).playerCredentials);
    }
    this.sockets = await Promise.all([...Array(sockets).keys()].map((player) => this.connect(player)));
    this.played = 0;
  }

  connect(player) {
    const socket = io(`${address}/tricks`, { transports: ["websocket"], forceNew: true, reconnection: false });
    return new Promise((done, failed) => {
      socket.on("connect_error", failed);
      socket.on("connect", () => socket.emit("sync", this.id, `${player}`, this.credentials[player], PLAYERS));
      socket.once("sync", (_, { state }) => {
        this.stateID = state._stateID;
        done(socket);
      });
    });
  }

  // Whoever plays is told by the first socket, where there is only that one; else by their own.
  play(moves) {
    const last = Math.min(this.played + moves, MOVES.length);
    return new Promise((done) => {
      let heard = 0;
      const told = (id, state) => {
        heard += 1;
        if (heard % this.sockets.length) return; // the others are still to be told
        this.stateID = state._stateID;
        this.played += 1;
        if (this.played < last) this.send();
        else {
          for (const socket of this.sockets) socket.off("update", told);
          done();
        }
      };
      for (const socket of this.sockets) socket.on("update", told);
      this.send();
    });
  }

  send() {
    const { player, card } = MOVES[this.played];
    const payload = { type: "play", args: [card], playerID: player, credentials: this.credentials[Number(player)] };
    const socket = this.sockets[Number(player) % this.sockets.length];
    socket.emit("update", { type: "MAKE_MOVE", payload }, this.stateID, this.id, player);
  }
}

let matches = [];

const commands = {
  async create(count, sockets) {
    matches = [...Array(count)].map(() => new Match());
    for (const match of matches) await match.enter(sockets);
    return {};
  },
  async play(moves) {
    const before = matches.reduce((sum, match) => sum + match.played, 0);
    const begun = process.hrtime.bigint();
    await Promise.all(matches.map((match) => match.play(moves)));
    const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
    return { moves: matches.reduce((sum, match) => sum + match.played, 0) - before, seconds };
  },
  async leave() {
    for (const match of matches) for (const socket of match.sockets) socket.disconnect();
    matches = [];
    return {};
  },
};

const main = async () => {
  console.log(JSON.stringify({ moves: MOVES.length }));
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [name, ...numbers] = line.split(" ");
    console.log(JSON.stringify(await commands[name](...numbers.map(Number))));
  }
};

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
