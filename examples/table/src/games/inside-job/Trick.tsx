// A trick: the cards in the order in which they were played, and who has still to play.

import { PlainMark, SeatMark } from "../../art/Mark";
import type { InsideJobGame, InsideJobView } from "../../api/types";
import type { Teller } from "../../match/teller";
import { say } from "../../words";
import { Face, suitOf } from "./Cards";

type Play = InsideJobView["table"]["plays"][number];

interface PlayedProps {
  play: Play;
  game: InsideJobGame;
  teller: Teller;
  won?: boolean;
}

export function Played({ play, game, teller, won = false }: PlayedProps) {
  const words = [
    say("i.played", { who: teller.who(play.seat), card: teller.name(play.card) }),
    ...(play.wager ? [say("i.wagered")] : []),
    ...(won ? [say("i.winner")] : []),
  ];
  return (
    <div class={won ? "played won" : "played"} role="img" aria-label={words.join(", ")}>
      <span class={`playing-card suit-${suitOf(game, play.card)}`}>
        <Face game={game} id={play.card} />
        {play.wager && (
          <span class="wager">
            <PlainMark kind="intel" />
          </span>
        )}
      </span>
      <span class="player">
        <SeatMark seat={play.seat} />
        {teller.who(play.seat)}
        {won && <PlainMark kind="crown" />}
      </span>
    </div>
  );
}

export function Trick({ view, game, teller }: { view: InsideJobView; game: InsideJobGame; teller: Teller }) {
  const { plays, start_seat: start, seats } = view.table;
  const order = seats.map((_, place) => (start + place) % seats.length);
  return (
    <ol class="trick" aria-label={say("i.trick.title")}>
      {order.map((seat) => {
        const play = plays.find((one) => one.seat === seat);
        return (
          <li key={seat}>
            {play === undefined ? (
              <div class="played open" role="img" aria-label={say("i.waiting", { who: teller.who(seat) })}>
                <span class="playing-card" />
                <span class="player">
                  <SeatMark seat={seat} />
                  {teller.who(seat)}
                </span>
              </div>
            ) : (
              <Played play={play} game={game} teller={teller} />
            )}
          </li>
        );
      })}
    </ol>
  );
}

export function LastTrick({ view, game, teller }: { view: InsideJobView; game: InsideJobGame; teller: Teller }) {
  const last = view.table.last_trick;
  if (last === null) {
    return null;
  }
  return (
    <section class="panel last-trick">
      <h2>{say("i.last")}</h2>
      <p class={last.succeeded ? "outcome done" : "outcome failed"}>
        <PlainMark kind={last.succeeded ? "done" : "failed"} />
        {teller.name(last.mission.mission)}: {say(last.succeeded ? "i.done" : "i.failed")}
      </p>
      <ol class="trick small">
        {last.plays.map((play) => (
          <li key={play.seat}>
            <Played play={play} game={game} teller={teller} won={play.seat === last.winner} />
          </li>
        ))}
      </ol>
    </section>
  );
}
