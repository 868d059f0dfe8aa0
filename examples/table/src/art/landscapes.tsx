// The six landscapes of Verräter, drawn around the origin in a box of 72 by 48.

import type { VNode } from "preact";

const DRAWINGS: Record<string, VNode> = {
  wasteland: (
    <>
      <path class="soil" d="M-36 24c12-8 24-6 36-6s26-4 36 6z" />
      <path class="line" d="M-4 19c2-10 0-16-2-24M-4 4l-12-11M-5-1l12-12M2-8l0-10M-11-3l-8 0" />
      <path class="line" d="M14 18l6-4 6 5" />
    </>
  ),
  meadow: (
    <>
      <path class="grass" d="M-36 24c8-18 28-20 40-10 10-8 24-6 32 10z" />
      <path class="line" d="M-20 12l-3-8M-18 12l1-9M-16 12l5-7M18 12l-3-7M20 12l2-8" />
      <ellipse class="wool" cx="2" cy="-3" rx="13" ry="9" />
      <circle class="ink" cx="15" cy="-6" r="4.500" />
      <path class="line" d="M-5 5v7M8 5v7" />
    </>
  ),
  river: (
    <>
      <path class="grass" d="M-36 24V2c20-10 50-10 72 0v22z" />
      <path class="water" d="M-10-16c14 6-14 10-2 18 14 9-18 10-14 22h44c8-14-14-14-10-24 3-8 6-12-4-16z" />
      <path class="wave" d="M-8 8c6-3 8 3 14 0M-12 17c6-3 9 3 16 0s8 2 12 0" />
    </>
  ),
  forest: (
    <>
      <path class="soil" d="M-36 24c20-7 52-7 72 0z" />
      <path class="leaf" d="M-22-12l14 30h-28zM20-12l15 30H6z" />
      <path class="leaf front" d="M0-22l18 42h-36z" />
      <path class="line" d="M0 20v4M-22 18v4M20 18v4" />
    </>
  ),
  village: (
    <>
      <path class="grass" d="M-36 24c20-8 52-8 72 0z" />
      <path class="wall" d="M-26 0h22v20h-22zM2 4h24v17H2z" />
      <path class="roof" d="M-30 1l15-15L0 1zM-2 5l16-15L31 5z" />
      <path class="ink" d="M-18 9h7v11h-7zM10 11h7v10h-7z" />
    </>
  ),
  city: (
    <>
      <path class="wall" d="M-32 22v-30h5v4h5v-4h5v10h8v-22h5v4h8v-4h5v22h8v-10h5v4h5v-4h5v30z" />
      <path class="roof" d="M-4-20l0-5 9 3-9 4z" />
      <path class="ink" d="M-6 22V10a6 6 0 0 1 12 0v12zM-24 4h4v7h-4zM20 4h4v7h-4zM-2-8h4v6h-4z" />
    </>
  ),
};

export function Landscape({ type }: { type: string }) {
  return (
    <g class="drawing" transform="scale(.88)" aria-hidden="true">
      {DRAWINGS[type]}
    </g>
  );
}

/** A building tile: a farm has a gable, a trading post a flat roof with a flag. The shape on it tells whose it is. */
export function Building({ side, owner, mark }: { side: string; owner: number; mark: string }) {
  return (
    <g class={`building seat-${owner}`} transform="scale(.82)" aria-hidden="true">
      <path d={side === "farm" ? "M-20 18V-4L0-20 20-4v22z" : "M-20 18v-26h26v-14l14 6-10 4v4h10v26z"} />
      <path class="whose" d={mark} transform="translate(-8.500 -4) scale(.7)" />
    </g>
  );
}
