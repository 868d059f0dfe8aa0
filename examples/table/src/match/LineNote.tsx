import type { Line } from "../api/following";
import { say } from "../words";

/** Whether what is shown is true at this moment. */
export function LineNote({ line }: { line: Line }) {
  return (
    <p class={`line line-${line}`} role="status" data-line={line}>
      {say(`line.${line}`)}
    </p>
  );
}
