// Every request goes through here: who asks, in which language, and how the clocks differ.

import createClient, { type Middleware } from "openapi-fetch";
import { language } from "../words/language";
import { storedToken } from "../state/storage";
import type { paths } from "./contract";

type Media = "application/json" | "application/problem+json";

let ahead = 0;

/** Now, by the server's clock: deadlines are told by it. */
export function serverNow(): number {
  return Date.now() + ahead;
}

/** What every request says, whoever sends it. A player is nothing but a token. */
export function commonHeaders(): Record<string, string> {
  const token = storedToken();
  return {
    "Accept-Language": language(),
    ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  };
}

const common: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(commonHeaders())) {
      request.headers.set(name, value);
    }
    return request;
  },
  onResponse({ response }) {
    const sent = Date.parse(response.headers.get("Date") ?? "");
    if (!Number.isNaN(sent)) {
      ahead = sent - Date.now();
    }
  },
};

/** The operations of the contract, typed by it. */
export const client = createClient<paths, Media>({ baseUrl: location.origin, cache: "no-store" });
client.use(common);
