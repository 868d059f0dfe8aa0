// Loaded into a program of Node's before its own code: writes down whom it wants to talk to, and has it fail.
"use strict";

const dns = require("node:dns");
const fs = require("node:fs");
const net = require("node:net");

function refuse(whom) {
  fs.appendFileSync(process.env.NETWORK_TRIED, `${whom}\n`);
  return new Error("there is no network");
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...given) {
  const [first] = Array.isArray(given[0]) ? given[0] : given;
  if (first && typeof first === "object" && first.path && !first.host) {
    return connect.apply(this, given); // another process of this machine
  }
  throw refuse(JSON.stringify(first && first.host ? `${first.host}:${first.port}` : first));
};

dns.lookup = (name, ...rest) => rest.at(-1)(refuse(name));
dns.promises.lookup = async (name) => {
  throw refuse(name);
};
