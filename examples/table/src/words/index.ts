// The client's own words. Names of cards, roles, moves and endings are the service's: they come with `getGame`.

import { de } from "./de";
import { en, type Key } from "./en";
import { type Language, language } from "./language";
import { nl } from "./nl";

export type { Key };

const WORDS: Record<Language, Record<Key, string>> = { en, de, nl };

export type Values = Record<string, string | number>;

/** Words in the reader's language: `{count}` is a value, `{count:point|points}` the word that goes with it. */
export function say(key: Key, values: Values = {}): string {
  return WORDS[language()][key]
    .replace(/\{(\w+):([^|}]*)\|([^}]*)\}/g, (_, name: string, one: string, more: string) => (values[name] === 1 ? one : more))
    .replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Whether there are words for something that only the service can name. */
export function isKey(key: string): key is Key {
  return key in en;
}

/** "A, B and C". */
export function listed(parts: string[]): string {
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(parts);
}
