// All that this client keeps in the browser: the token, which is the player, and the language. Never anything of a match.

const TOKEN = "turncoat.token";
const NAME = "turncoat.name";
const ENDS = "turncoat.ends";
const LANGUAGE = "turncoat.language";

export interface StoredPlayer {
  name: string;
  ends: string;
}

export function storedToken(): string | null {
  return localStorage.getItem(TOKEN);
}

export function storedPlayer(): StoredPlayer | null {
  const name = localStorage.getItem(NAME);
  return storedToken() === null || name === null ? null : { name, ends: localStorage.getItem(ENDS) ?? "" };
}

export function storePlayer(guest: { token: string; name: string; expires_at: string }): void {
  localStorage.setItem(TOKEN, guest.token);
  localStorage.setItem(NAME, guest.name);
  localStorage.setItem(ENDS, guest.expires_at);
}

export function forgetPlayer(): void {
  for (const key of [TOKEN, NAME, ENDS]) {
    localStorage.removeItem(key);
  }
}

export function storedLanguage(): string | null {
  return localStorage.getItem(LANGUAGE);
}

export function storeLanguage(language: string): void {
  localStorage.setItem(LANGUAGE, language);
}
