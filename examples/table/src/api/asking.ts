// Asking until there is an answer. No answer, or a 5xx, means that nobody knows whether the request was carried out: so it
// is sent again, with growing pauses, under the same Idempotency-Key.

import type { Problem } from "./types";

/** The service has refused, for a reason that `problem.code` names. Nothing has changed. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.title);
  }
}

/** What openapi-fetch gives back. */
export interface Told<Answer> {
  data?: Answer;
  error?: Problem;
  response: Response;
}

/** What was asked for; `data` is missing only where there is nothing new (304), or nothing to say (204). */
export interface Given<Answer> {
  data?: Answer;
  response: Response;
}

export interface Patience {
  signal?: AbortSignal;
  /** Told whether the service answers. */
  reachable?: (yes: boolean) => void;
}

const PAUSES = [1, 2, 4, 8, 15];

/** Wait so many seconds, or until the browser is online again; fails once it is no longer of interest. */
export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(noLongerOfInterest());
      return;
    }
    const finish = (end: () => void) => (): void => {
      clearTimeout(timer);
      removeEventListener("online", over);
      signal?.removeEventListener("abort", given);
      end();
    };
    const over = finish(resolve);
    const given = finish(() => reject(noLongerOfInterest()));
    const timer = setTimeout(over, seconds * 1000);
    addEventListener("online", over);
    signal?.addEventListener("abort", given);
  });
}

function noLongerOfInterest(): DOMException {
  return new DOMException("no longer of interest", "AbortError");
}

/** The next pause: what the service asks for, or twice the one before. */
export function pauseAfter(failures: number, response?: Response): number {
  const wanted = Number(response?.headers.get("Retry-After") ?? NaN);
  return Number.isNaN(wanted) ? (PAUSES[Math.min(failures, PAUSES.length) - 1] ?? 1) : Math.max(wanted, 0.2);
}

function isWorthRepeating(response: Response): boolean {
  return response.status >= 500 || response.status === 429;
}

/**
 * Send a request as often as it takes.
 *
 * `send` is called with the same key each time: for a move, or a new match, it is the Idempotency-Key.
 */
export async function asked<Answer>(
  send: (key: string) => Promise<Told<Answer>>,
  { signal, reachable }: Patience = {},
): Promise<Given<Answer>> {
  const key = newKey();
  for (let failures = 1; ; failures++) {
    let told: Told<Answer> | undefined;
    try {
      told = await send(key);
    } catch (error) {
      if (signal?.aborted === true || !(error instanceof TypeError)) {
        throw error;
      }
    }
    if (told !== undefined && !isWorthRepeating(told.response)) {
      reachable?.(true);
      return granted(told);
    }
    reachable?.(false);
    await pause(pauseAfter(failures, told?.response), signal);
  }
}

/** The answer, or the refusal. */
export function granted<Answer>({ data, error, response }: Told<Answer>): Given<Answer> {
  if (response.ok || response.status === 304) {
    return data === undefined ? { response } : { data, response };
  }
  throw new Refused(error ?? unreadable(response));
}

/** Something between us and the service answered, in words of its own. */
function unreadable(response: Response): Problem {
  const title = `${response.status} ${response.statusText}`;
  return { type: "about:blank", code: "internal-error", status: response.status, title, detail: title, instance: "" };
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The answer of something that always has one. */
export function body<Answer>({ data, response }: Given<Answer>): Answer {
  if (data === undefined) {
    throw new TypeError(`${response.url} answered ${response.status} without a body`);
  }
  return data;
}
