// In the middle of the ring: the round, and how the two houses stand in the conflict.

import { Emblem } from "../../art/houses";
import type { VerraeterView } from "../../api/types";
import { say } from "../../words";

export function Middle({ view }: { view: VerraeterView }) {
  const { round, rounds, conflict, last_conflict: last } = view.table;
  const totals = conflict ?? last;
  const sum = totals === null ? 0 : totals.eagle + totals.rose;
  const share = totals === null || sum === 0 ? 0.5 : totals.eagle / sum;
  return (
    <g class="middle">
      <circle r="122" />
      <text class="round" y="-68">
        {say("v.round", { round, rounds })}
      </text>
      <g transform="translate(-56 -16)">
        <Emblem house="eagle" size={58} />
      </g>
      <g transform="translate(56 -16)">
        <Emblem house="rose" size={58} />
      </g>
      {totals === null ? (
        <text class="quiet-text" y="50">
          {say("v.peace")}
        </text>
      ) : (
        <g class={conflict === null ? "totals past" : "totals"}>
          <text x="-56" y="56">
            {totals.eagle}
          </text>
          <text x="56" y="56">
            {totals.rose}
          </text>
          <text class="colon" y="54">
            :
          </text>
          <rect class="bar bar-rose" x="-84" y="70" width="168" height="12" rx="6" />
          <rect class="bar bar-eagle" x="-84" y="70" width={168 * share} height="12" rx="6" />
        </g>
      )}
    </g>
  );
}
