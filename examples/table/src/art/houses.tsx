// The two houses of Verräter: an eagle and a rose, drawn around the origin in a box of 48.

export function Emblem({ house, size = 48 }: { house: string; size?: number }) {
  return (
    <g class={`emblem emblem-${house}`} transform={`scale(${size / 48})`} aria-hidden="true">
      {house === "eagle" ? <Eagle /> : <Rose />}
    </g>
  );
}

function Eagle() {
  return (
    <path d="M0-17c3 0 5 2 5 4l4 2-4 2c5 3 11 0 17-7-1 11-7 19-14 21l3 10-7-4-4 8-4-8-7 4 3-10C-15 3-21-5-22-16c6 7 12 10 17 7v-4c0-2 2-4 5-4z" />
  );
}

function Rose() {
  const petals = [0, 72, 144, 216, 288];
  return (
    <>
      {petals.map((turn) => (
        <ellipse key={turn} cx="0" cy="-11.500" rx="9.500" ry="10" transform={`rotate(${turn})`} />
      ))}
      <circle class="heart" r="6.500" />
    </>
  );
}

/** An emblem in running text. */
export function HouseMark({ house }: { house: string }) {
  return (
    <svg class={`mark house-mark house-${house}`} viewBox="-24 -24 48 48" aria-hidden="true" focusable="false">
      <Emblem house={house} />
    </svg>
  );
}
