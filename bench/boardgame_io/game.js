// A game of tricks with hidden hands and a hidden traitor, about as large as one of ours: four players, eight tricks.
"use strict";

const { INVALID_MOVE } = require("boardgame.io/core");

const SUITS = 4;
const RANKS = 8;
const PLAYERS = 4;

const suit = (card) => Math.floor(card / RANKS);

const legalCards = (hand, trick) => {
  const following = trick.length ? hand.filter((card) => suit(card) === suit(trick[0].card)) : hand;
  return following.length ? following : hand;
};

const winnerOf = (trick) =>
  trick.reduce((best, played) => (suit(played.card) === suit(best.card) && played.card > best.card ? played : best)).player;

const setup = ({ random }) => {
  const deck = random.Shuffle([...Array(SUITS * RANKS).keys()]);
  const roles = random.Shuffle(["loyal", "loyal", "loyal", "traitor"]);
  const hands = [...Array(PLAYERS).keys()].map((player) =>
    deck.slice(player * RANKS, (player + 1) * RANKS).sort((one, other) => one - other),
  );
  return { hands, roles, trick: [], tricks: [], points: Array(PLAYERS).fill(0), next: 0 };
};

const play = ({ G, playerID }, card) => {
  const player = Number(playerID);
  const hand = G.hands[player];
  if (!legalCards(hand, G.trick).includes(card)) return INVALID_MOVE;
  hand.splice(hand.indexOf(card), 1);
  G.trick.push({ player, card });
  G.next = (player + 1) % PLAYERS;
  if (G.trick.length === PLAYERS) {
    G.next = winnerOf(G.trick);
    G.points[G.next] += 1;
    G.tricks.push({ leader: G.trick[0].player, cards: G.trick.map((played) => played.card), winner: G.next });
    G.trick = [];
  }
};

// Built, never cut: what a player may see, field by field, the legal moves included, as our views have them.
const playerView = ({ G, ctx, playerID }) => {
  const seat = playerID === null || playerID === undefined ? null : Number(playerID);
  return {
    counts: G.hands.map((hand) => hand.length),
    trick: G.trick,
    tricks: G.tricks,
    points: G.points,
    next: G.next,
    hand: seat === null ? null : G.hands[seat],
    role: seat === null ? null : G.roles[seat],
    legal: seat !== null && ctx.currentPlayer === playerID ? legalCards(G.hands[seat], G.trick) : [],
  };
};

const Tricks = {
  name: "tricks",
  minPlayers: PLAYERS,
  maxPlayers: PLAYERS,
  seed: "the same deal each time, so that the moves can be known before",
  setup,
  moves: { play: { move: play, client: false } },
  turn: { minMoves: 1, maxMoves: 1, order: { first: () => 0, next: ({ G }) => G.next } },
  endIf: ({ G }) => (G.tricks.length === RANKS ? { points: G.points, traitor: G.roles.indexOf("traitor") } : undefined),
  playerView,
};

module.exports = { Tricks, PLAYERS, legalCards };
