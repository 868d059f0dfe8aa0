// Where the reader is, by the part of the address after "#": the service need not know it.

import { useEffect, useState } from "preact/hooks";

export type Route = { page: "lobby" } | { page: "match"; match: string } | { page: "join"; code: string };

function read(): Route {
  const [, page, value] = /^#\/(matches|join)\/([^/]+)$/.exec(location.hash) ?? [];
  if (value === undefined) {
    return { page: "lobby" };
  }
  const named = decodeURIComponent(value);
  return page === "join" ? { page, code: named } : { page: "match", match: named };
}

export function matchAddress(match: string): string {
  return `#/matches/${encodeURIComponent(match)}`;
}

/** Where whoever has the code may take a seat. */
export function joinAddress(code: string): string {
  return `#/join/${encodeURIComponent(code)}`;
}

export function goToMatch(match: string): void {
  location.hash = matchAddress(match);
}

export function goToLobby(): void {
  location.hash = "#/";
}

export function useRoute(): Route {
  const [route, setRoute] = useState(read);
  useEffect(() => {
    const changed = (): void => {
      setRoute(read());
      scrollTo(0, 0);
    };
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}
