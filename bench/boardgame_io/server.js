// boardgame.io's server with our game: node server.js [path of Redis' socket]. Without one it keeps all in memory.
"use strict";

const net = require("node:net");

// The library listens for the whole world, and has no setting for it.
const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (port, ...more) {
  return listen.call(this, { port, host: "127.0.0.1" }, ...more.filter((one) => typeof one === "function"));
};

const { Server } = require("boardgame.io/server");
const { Tricks } = require("./game");
const { RedisStore } = require("./store");

const [path] = process.argv.slice(2);
const server = Server({ games: [Tricks], origins: [], ...(path ? { db: new RedisStore(path) } : {}) });

process.on("SIGUSR2", () => {
  global.gc();
  console.log(`holds ${process.memoryUsage().heapUsed}`);
});

server.run(0).then(({ appServer }) => {
  console.log(`serves http://127.0.0.1:${appServer.address().port}`);
});
