import { PlainMark, SeatMark } from "../art/Mark";
import type { Result } from "../api/types";
import { say } from "../words";
import type { Teller } from "./teller";

/** Who has won and why, for each seat; the best first. */
export function ResultPanel({ result, teller }: { result: Result; teller: Teller }) {
  const mine = result.seats.find((seat) => seat.seat === teller.me);
  const order = [...result.seats].sort((a, b) => (a.rank ?? Number(!a.won)) - (b.rank ?? Number(!b.won)));
  return (
    <section class="panel result" aria-labelledby="result-title">
      <h2 id="result-title">
        {mine === undefined ? say("result.title") : say(mine.won ? "result.youwon" : "result.youlost")}
      </h2>
      <p>{teller.name(result.ending)}</p>
      <ol>
        {order.map((seat) => (
          <li key={seat.seat} class={seat.won ? "won" : "lost"}>
            <SeatMark seat={seat.seat} />
            <strong>{teller.who(seat.seat)}</strong>
            <span class="verdict">
              <PlainMark kind={seat.won ? "crown" : "failed"} />
              {say(seat.won ? "result.won" : "result.lost")}
            </span>
            {seat.score !== null && <span>{say("result.points", { count: seat.score })}</span>}
            {seat.rank !== null && <span>{say("result.rank", { rank: seat.rank })}</span>}
            <span class="reason">{teller.name(seat.reason)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
