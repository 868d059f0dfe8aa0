// Small signs, so that nothing is told by colour alone.

import type { ComponentChildren } from "preact";

function Sign({ kind, children }: { kind: string; children: ComponentChildren }) {
  return (
    <svg class={`mark ${kind}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

const SEATS = [
  "M12 2a10 10 0 1 0 0 20a10 10 0 1 0 0-20z",
  "M3 3h18v18H3z",
  "M12 2l11 19H1z",
  "M12 1l10 11-10 11L2 12z",
  "M12 1l3.2 7.200 7.800.8-5.900 5.200 1.700 7.800L12 18l-6.800 4 1.700-7.800L1 9l7.800-.8z",
  "M8 2h8v6h6v8h-6v6H8v-6H2V8h6z",
];

export function seatPath(seat: number): string {
  return SEATS[seat % SEATS.length] ?? "";
}

export function SeatMark({ seat }: { seat: number }) {
  return (
    <Sign kind={`seat-${seat}`}>
      <path d={seatPath(seat)} />
    </Sign>
  );
}

const SUITS: Record<string, string> = {
  blue: "M12 1c5 7 8 10 8 14a8 8 0 0 1-16 0c0-4 3-7 8-14z",
  red: "M12 1l9 11-9 11-9-11z",
  green: "M12 2l10 18H2z",
  yellow: "M12 1l3.2 7.200 7.800.8-5.900 5.200 1.700 7.800L12 18l-6.800 4 1.700-7.800L1 9l7.800-.8z",
};

export function SuitMark({ suit }: { suit: string }) {
  return (
    <Sign kind={`suit-${suit}`}>
      <path d={SUITS[suit] ?? ""} />
    </Sign>
  );
}

const CATEGORIES: Record<string, string> = {
  music: "M8 4l12-3v13.500a3.500 3.500 0 1 1-2-3.100V6L10 8v9.500a3.500 3.500 0 1 1-2-3.100z",
  alchemy: "M8 1h8v2h-1v6l6.500 11c.7 1.300-.2 3-1.700 3H4.200c-1.500 0-2.400-1.700-1.700-3L9 9V3H8zm2.600 9L8 14.500h8L13.400 10z",
  fencing: "M2 2l3 .5L12 9.800l7-7.300 3-.5-.5 3-7.300 7 4 4 1.500-1.500 1.500 1.500-2.300 2.200 2.600 2.600-1 1-2.600-2.600L15.600 21l-1.500-1.500 1.500-1.500-3.600-4-3.600 4 1.500 1.500L8.400 21l-2.300-2.200L3.500 21.400l-1-1 2.600-2.600L2.800 15.600l1.500-1.500 1.500 1.500 4-3.600-7.300-7z",
  agriculture: "M12 1c1.500 2 1.500 4 0 6-1.500-2-1.500-4 0-6zM11 23v-6c-4 0-6-2-6-5.500 3 0 5 1 6 3V13c-3.500 0-5-2-5-5 2.700 0 4.300 1 5 3V8h2v3c.7-2 2.300-3 5-3 0 3-1.500 5-5 5v1.500c1-2 3-3 6-3 0 3.500-2 5.500-6 5.500v6z",
  trade: "M9 3a7 7 0 1 0 0 14A7 7 0 0 0 9 3zm0 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zm8.500.6a8.500 8.500 0 0 1-7.100 11.300A7 7 0 1 0 17.500 6.600z",
  religion: "M11 1h2v3h3v2h-3v4l8 5v8h-6v-4a3 3 0 0 0-6 0v4H3v-8l8-5V6H8V4h3z",
};

export function CategoryMark({ category }: { category: string }) {
  return (
    <Sign kind={`category category-${category}`}>
      <path d={CATEGORIES[category] ?? ""} />
    </Sign>
  );
}

const ACTIONS: Record<string, string> = {
  traitor: "M3 9c5-3 13-3 18 0-1 8-4 13-9 13S4 17 3 9zm3.500 2.500c.5 2.500 2.500 3 4.500 2-.7-1.800-2.300-2.500-4.500-2zm11 0c-2.200-.5-3.800.2-4.500 2 2 1 4 .5 4.500-2zM2 2l6 4M22 2l-6 4",
  diplomat_2: "M4 2h13l3 3v17H4zm3 5v2h10V7zm0 4v2h10v-2zm0 4v2h6v-2z",
  diplomat_5: "M4 2h13l3 3v17H4zm3 5v2h10V7zm0 4v2h10v-2zm0 4v2h10v-2z",
  builder: "M3 5l4-4 6 3-1 3 10 11-3 4L8 11 5 12z",
  strategist: "M5 1h2v2l13 1-3 5 3 5-13 1v8H5z",
  farmer: "M11 23V9c-1-2-4-3-4-6 3 0 4 2 5 4 1-2 2-4 5-4 0 3-3 4-4 6v14zM5 23c0-5 2-8 5-9v9zm14 0c0-5-2-8-5-9v9z",
};

export function ActionMark({ action }: { action: string }) {
  return (
    <Sign kind="action-mark">
      <path d={ACTIONS[action] ?? ""} fill-rule="evenodd" />
    </Sign>
  );
}

const PLAIN: Record<string, string> = {
  intel: "M8 6V3h8v3h6v15H2V6zm2 0h4V5h-4z",
  storm: "M7 15a5 5 0 0 1 0-10 6 6 0 0 1 11 2 4 4 0 0 1 0 8h-4l2-4h-5l-2 4zm4 0h4l-5 9 1-6H8z",
  done: "M2 13l3-3 5 5L19 4l3 3-12 14z",
  failed: "M4 2l8 8 8-8 2 2-8 8 8 8-2 2-8-8-8 8-2-2 8-8-8-8z",
  crown: "M2 6l5 5 5-8 5 8 5-5-2 14H4z",
  start: "M6 1h2v2h12l-3 5 3 5H8v10H6z",
  strategy: "M12 1l3 4h-2v5h5V8l5 4-5 4v-2h-5v5h2l-3 4-3-4h2v-5H6v2l-5-4 5-4v2h5V5H9z",
  robot: "M11 1h2v3h6v9H5V4h6zM8 7v3h3V7zm5 0v3h3V7zM4 15h16v8H4z",
  eye: "M12 5c5 0 9 4 11 7-2 3-6 7-11 7S3 15 1 12c2-3 6-7 11-7zm0 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
};

export function PlainMark({ kind }: { kind: string }) {
  return (
    <Sign kind={`plain-${kind}`}>
      <path d={PLAIN[kind] ?? ""} fill-rule="evenodd" />
    </Sign>
  );
}
