// A thing on the table: a button while a legal move mentions it, else a picture with a name.

import type { ComponentChildren } from "preact";
import type { Picking } from "./picking";

interface Props {
  thing: string;
  label: string;
  picking: Picking;
  class?: string;
  children: ComponentChildren;
}

function classes(thing: string, picking: Picking, more: string | undefined): string {
  const state = [picking.can(thing) && "can", picking.fits(thing) && "fits", picking.has(thing) && "picked"];
  return ["spot", more, ...state].filter(Boolean).join(" ");
}

/** On a drawing. */
export function Spot({ thing, label, picking, class: more, children }: Props) {
  const looks = classes(thing, picking, more);
  if (!picking.can(thing)) {
    return (
      <g class={looks} role="img" aria-label={label}>
        {children}
      </g>
    );
  }
  return (
    <g
      class={looks}
      role="button"
      tabIndex={0}
      aria-label={label}
      aria-pressed={picking.has(thing)}
      data-thing={thing}
      onClick={() => picking.pick(thing)}
      onKeyDown={(event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          picking.pick(thing);
        }
      }}
    >
      {children}
    </g>
  );
}

/** In the page. */
export function Tile({ thing, label, picking, class: more, children }: Props) {
  const looks = classes(thing, picking, more);
  if (!picking.can(thing)) {
    return (
      <div class={looks} role="img" aria-label={label}>
        {children}
      </div>
    );
  }
  return (
    <button
      type="button"
      class={looks}
      aria-pressed={picking.has(thing)}
      data-thing={thing}
      onClick={() => picking.pick(thing)}
    >
      <span class="unseen">{label}</span>
      <span class="face" aria-hidden="true">
        {children}
      </span>
    </button>
  );
}
