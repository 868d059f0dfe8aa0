// Checks the shuffles of Turncoat without a line of its code, after docs/randomness.md alone. Needs node, nothing else.
//
//   node verify.js vectors docs/randomness-vectors.json
//   node verify.js replay replay.json        (`-`: from the standard input)
//
// Of a replay it checks the commitment; of one of Verräter also the start player, the circle, every card put aside and
// offered in a draft, every supply card drawn and every reshuffle. It prints what it checked, or the first difference.

"use strict";

const { createHash, createHmac } = require("node:crypto");
const { readFileSync } = require("node:fs");

// --- docs/randomness.md: notation, commitment, streams ---

const u32 = (number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(number);
  return bytes;
};

const join = (...parts) =>
  Buffer.concat(parts.map((part) => Buffer.from(part)).flatMap((part) => [u32(part.length), part]));

const hmac = (key, message) => createHmac("sha256", key).update(message).digest();

const commitment = (match, seed) =>
  createHash("sha256").update(join("turncoat/commitment/1", match, seed)).digest("hex");

class Stream {
  constructor(key) {
    this.key = key;
    this.block = 0n;
    this.words = [];
  }

  word() {
    if (this.words.length === 0) {
      const counter = Buffer.alloc(8);
      counter.writeBigUInt64BE(this.block++);
      const bytes = hmac(this.key, counter);
      for (let at = 0; at < 32; at += 4) this.words.push(bytes.readUInt32BE(at));
    }
    return this.words.shift();
  }

  below(bound) {
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let word;
    do word = this.word();
    while (word >= limit);
    return word % bound;
  }

  shuffle(list) {
    for (let last = list.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [list[last], list[other]] = [list[other], list[last]];
    }
    return list;
  }

  choice(list) {
    return list[this.below(list.length)];
  }
}

class Randomness {
  constructor(match, seed, entropies) {
    this.root = hmac(seed, join("turncoat/match/1", match, ...entropies));
  }

  stream(label) {
    return new Stream(hmac(this.root, label));
  }
}

// --- comparing ---

class Difference extends Error {}

const same = (place, found, expected) => {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Difference(`${place}: ${JSON.stringify(found)}, but it must be ${JSON.stringify(expected)}`);
  }
};

// --- the test vectors ---

const checkVectors = ({ version, cases }) => {
  same("/version", version, 1);
  cases.forEach((one, number) => {
    const seed = Buffer.from(one.seed, "hex");
    const randomness = new Randomness(one.match, seed, one.entropies);
    const at = (name) => `/cases/${number}/${name}`;
    same(at("commitment"), one.commitment, commitment(one.match, seed));
    const deal = randomness.stream("deal");
    const words = one.deal_words_below_2_32.map(() => deal.below(2 ** 32));
    same(at("deal_words_below_2_32"), one.deal_words_below_2_32, words);
    const move = randomness.stream("move/1");
    const below = one.move_1_below.map(([bound]) => [bound, move.below(bound)]);
    same(at("move_1_below"), one.move_1_below, below);
    const twelve = one.move_12_shuffle_of_0_to_11;
    same(at("move_12_shuffle_of_0_to_11"), twelve, randomness.stream("move/12").shuffle([...Array(12).keys()]));
    const standIn = randomness.stream("stand-in/12");
    const letters = [...one.stand_in_12_choice_of_a_to_f].map(() => standIn.choice("abcdef")).join("");
    same(at("stand_in_12_choice_of_a_to_f"), one.stand_in_12_choice_of_a_to_f, letters);
  });
  return `${cases.length} test vectors`;
};

// --- Verräter ---

const LANDSCAPES = ["wasteland", "meadow", "river", "forest", "village", "city"];
const HOUSES = ["eagle", "rose"];
const ACTIONS = ["traitor", "diplomat_2", "diplomat_5", "builder", "strategist", "farmer"];
const SUPPLIES = { 2: 5, 3: 5, 4: 5, 5: 5, 6: 2, 8: 1 };
const START_HAND = [3, 4, 5];
const ANSWERS = new Set([
  ...["farm_placed", "conflict_declared", "action_drafted", "supplies_played"],
  ...["building_placed", "building_moved", "building_turned", "build_declined"],
]); // each move begins with one of these events

const ascending = (cards) => [...cards].sort((one, other) => one - other);

class Verraeter {
  constructor(seats, randomness) {
    this.seats = seats;
    this.randomness = randomness;
    this.moves = 0;
    this.played = []; // on the table
    this.discarded = [];
    this.checked = { drafts: 0, cards: 0, reshuffles: 0 };
  }

  // One event after the other; `at` is its place in the replay.
  read({ public: event, private: secrets }, at) {
    if (ANSWERS.has(event.type)) this.stream = this.randomness.stream(`move/${++this.moves}`);
    this[event.type]?.(event, at, secrets);
  }

  verraeter_dealt(event, at) {
    const random = this.randomness.stream("deal");
    this.start = random.below(this.seats);
    same(`${at}/public/start_seat`, event.start_seat, this.start);
    const circle = random.shuffle(LANDSCAPES.flatMap((type) => HOUSES.map((house) => ({ type, house }))));
    same(`${at}/public/landscapes`, event.landscapes.map(({ type, house }) => ({ type, house })), circle);
    this.pile = random.shuffle(
      Object.entries(SUPPLIES).flatMap(([value, count]) =>
        Array(count - this.seats * START_HAND.filter((card) => card === +value).length).fill(+value)
      )
    );
    same(`${at}/public/draw_pile_size`, event.draw_pile_size, this.pile.length);
  }

  conflict_declared() {
    this.offered = this.stream.shuffle([...ACTIONS]);
    this.aside = this.offered.pop();
    this.checked.drafts++;
  }

  actions_offered(event, at, secrets) {
    const told = secrets[event.seat].you.actions;
    same(`${at}/private/${event.seat}/you/actions`, told, [...this.offered].sort());
  }

  action_drafted(event, at, secrets) {
    const kept = secrets[event.seat].you.action;
    if (!this.offered.includes(kept)) throw new Difference(`${at}: ${kept} was not offered`);
    this.offered = this.offered.filter((action) => action !== kept);
  }

  supplies_played(event) {
    this.played.push(...event.cards);
  }

  // The cards of a round are discarded before the farms are drawn for, which no event tells; the size of the pile does.
  discard_pile_shuffled(event, at) {
    if (event.draw_pile_size !== this.discarded.length) this.discard();
    same(`${at}/public/draw_pile_size`, event.draw_pile_size, this.discarded.length);
    same(`${at}: cards left in the draw pile`, this.pile, []);
    this.pile = this.stream.shuffle(ascending(this.discarded));
    this.discarded = [];
    this.checked.reshuffles++;
  }

  supplies_drawn(event, at, secrets) {
    const drawn = Array.from({ length: event.count }, () => this.pile.pop());
    same(`${at}/private/${event.seat}/you/cards`, secrets[event.seat].you.cards, ascending(drawn));
    this.checked.cards += event.count;
  }

  discard() {
    this.discarded.push(...this.played);
    this.played = [];
  }

  round_ended(event, at) {
    this.discard();
    this.start = (this.start + 1) % this.seats;
    same(`${at}/public/start_seat`, event.start_seat, this.start);
  }
}

const checkReplay = (replay) => {
  same("/randomness_version", replay.randomness_version, 1);
  if (!/^[0-9a-f]{64}$/.test(replay.seed)) throw new Difference("/seed: not 64 hexadecimal digits");
  const seed = Buffer.from(replay.seed, "hex");
  same("/commitment", replay.commitment, commitment(replay.match, seed));
  if (replay.game !== "verraeter") return `the commitment of a match of ${replay.game}; its shuffles were not checked`;
  const entropies = replay.seats.map(({ entropy }) => entropy);
  const match = new Verraeter(replay.seats.length, new Randomness(replay.match, seed, entropies));
  replay.events.forEach((event, number) => match.read(event, `/events/${number}`));
  same("/moves: as many as were answered", replay.moves.length, match.moves);
  const { drafts, cards, reshuffles } = match.checked;
  return `the commitment, the deal, ${drafts} drafts, ${cards} cards drawn and ${reshuffles} reshuffles`;
};

// --- the command ---

const CHECKS = { vectors: checkVectors, replay: checkReplay };
const [check, path] = process.argv.slice(2);
if (!(check in CHECKS) || path === undefined) {
  console.error("usage: node verify.js (vectors | replay) FILE");
  process.exit(2);
}
try {
  console.log(`checked: ${CHECKS[check](JSON.parse(readFileSync(path === "-" ? 0 : path, "utf8")))}`);
} catch (error) {
  if (!(error instanceof Difference)) throw error;
  console.error(error.message);
  process.exit(1);
}
