// Where the reader is, by the part of the address after "#": the service need not know it.

import { useEffect, useState } from "preact/hooks";

export type Route = { page: "lobby" } | { page: "match"; match: string };

function read(): Route {
  const [, match] = /^#\/matches\/([^/]+)$/.exec(location.hash) ?? [];
  return match === undefined ? { page: "lobby" } : { page: "match", match: decodeURIComponent(match) };
}

export function matchAddress(match: string): string {
  return `#/matches/${encodeURIComponent(match)}`;
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
