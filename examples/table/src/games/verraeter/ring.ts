// Where things lie on the ring: twelve landscapes around the middle, number 0 at the top, clockwise.

export const OUTER = 322;
export const BAND = 282;
export const INNER = 132;

export interface Point {
  x: number;
  y: number;
}

/** A point so many twelfths of the circle from the top, at that distance from the middle. */
export function at(twelfths: number, distance: number): Point {
  const angle = (twelfths * 30 - 90) * (Math.PI / 180);
  return { x: round(Math.cos(angle) * distance), y: round(Math.sin(angle) * distance) };
}

/** The outline of a landscape between two distances from the middle; `half` is how far it goes to either side. */
export function sector(position: number, outer: number, inner: number, half = 0.5): string {
  const [from, to] = [position - half, position + half];
  const [a, b, c, d] = [at(from, outer), at(to, outer), at(to, inner), at(from, inner)];
  return `M${a.x} ${a.y}A${outer} ${outer} 0 0 1 ${b.x} ${b.y}L${c.x} ${c.y}A${inner} ${inner} 0 0 0 ${d.x} ${d.y}z`;
}

export function move({ x, y }: Point): string {
  return `translate(${x} ${y})`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
