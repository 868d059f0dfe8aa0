// What is asked of me now, in one line; and how much time there is.

import { useEffect, useRef, useState } from "preact/hooks";
import { serverNow } from "../api/client";
import type { Card, View } from "../api/types";
import { say } from "../words";
import { language } from "../words/language";
import type { Teller } from "./teller";

function question(view: View, teller: Teller, sending: boolean): string {
  if (sending) {
    return say("ask.sending");
  }
  if (view.status !== "playing") {
    return say("ask.over");
  }
  const kind = view.you?.decision?.kind;
  if (kind !== undefined) {
    return say("ask.you", { what: teller.name(kind) });
  }
  const who = teller.all(view.waiting_on);
  return say(teller.me === null ? "ask.watching" : "ask.others", { who });
}

interface Props {
  card: Card;
  view: View;
  teller: Teller;
  sending: boolean;
}

export function Ask({ card, view, teller, sending }: Props) {
  const line = useRef<HTMLHeadingElement>(null);
  const decision = view.you?.decision?.id ?? null;
  useEffect(() => {
    // What had the focus went away with the move: go on from here, not from the top of the page.
    if (decision !== null && document.activeElement === document.body) {
      line.current?.focus({ preventScroll: true });
    }
  }, [decision]);
  return (
    <div class={decision === null ? "ask" : "ask mine"}>
      <h2 ref={line} tabIndex={-1} aria-live="polite" data-decision={decision}>
        {question(view, teller, sending)}
      </h2>
      {card.deadline !== null && view.status === "playing" && <Deadline at={card.deadline} />}
    </div>
  );
}

function Deadline({ at }: { at: string }) {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const ticking = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(ticking);
  }, []);
  const seconds = Math.max(0, Math.round((Date.parse(at) - now) / 1000));
  return (
    <p class={seconds < 10 ? "deadline soon" : "deadline"} role="timer">
      {say("ask.deadline", { time: spelled(seconds) })}
    </p>
  );
}

/** 75 as 1:15; a day or more as a date would be too much. */
function spelled(seconds: number): string {
  const two = new Intl.NumberFormat(language(), { minimumIntegerDigits: 2 });
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const rest = `${hours > 0 ? two.format(minutes) : minutes}:${two.format(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}
