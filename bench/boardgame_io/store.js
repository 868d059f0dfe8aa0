// boardgame.io's storage interface on Redis: what is fetched or written together takes one trip.
"use strict";

const { Async } = require("boardgame.io/internal");
const Redis = require("ioredis");

const FIELDS = ["state", "metadata", "initialState"];

class RedisStore extends Async {
  constructor(path) {
    super();
    this.redis = new Redis({ path, lazyConnect: true });
  }

  async connect() {
    await this.redis.connect();
  }

  async createMatch(match, { initialState, metadata }) {
    await this.redis.hset(`bgio:${match}`, {
      initialState: JSON.stringify(initialState),
      state: JSON.stringify(initialState),
      metadata: JSON.stringify(metadata),
    });
  }

  async setState(match, state, deltalog) {
    const trip = this.redis.pipeline().hset(`bgio:${match}`, "state", JSON.stringify(state));
    if (deltalog && deltalog.length) trip.rpush(`bgio:${match}:log`, ...deltalog.map((entry) => JSON.stringify(entry)));
    await trip.exec();
  }

  async setMetadata(match, metadata) {
    await this.redis.hset(`bgio:${match}`, "metadata", JSON.stringify(metadata));
  }

  async fetch(match, wanted) {
    const names = FIELDS.filter((name) => wanted[name]);
    const result = {};
    const log = wanted.log ? this.redis.lrange(`bgio:${match}:log`, 0, -1) : [];
    const values = names.length ? this.redis.hmget(`bgio:${match}`, ...names) : [];
    (await values).forEach((value, place) => {
      if (value !== null) result[names[place]] = JSON.parse(value);
    });
    if (wanted.log) result.log = (await log).map((entry) => JSON.parse(entry));
    return result;
  }

  async wipe(match) {
    await this.redis.del(`bgio:${match}`, `bgio:${match}:log`);
  }

  async listMatches() {
    return [];
  }
}

module.exports = { RedisStore };
