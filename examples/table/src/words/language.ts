// Which language the reader likes: chosen here, or what the browser says.

import { storeLanguage, storedLanguage } from "../state/storage";

export const LANGUAGES = { en: "English", de: "Deutsch", nl: "Nederlands" } as const;
export type Language = keyof typeof LANGUAGES;

function isLanguage(value: string | null | undefined): value is Language {
  return value != null && value in LANGUAGES;
}

let chosen: Language | null = null;

export function language(): Language {
  if (chosen === null) {
    const stored = storedLanguage();
    const liked = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage);
    chosen = isLanguage(stored) ? stored : (liked ?? "en");
  }
  return chosen;
}

export function chooseLanguage(value: string): void {
  if (isLanguage(value)) {
    chosen = value;
    storeLanguage(value);
  }
}
