import { joinMatch } from "../api/matches";
import type { Card } from "../api/types";
import { goToMatch, matchAddress } from "../app/route";
import { SeatMark } from "../art/Mark";
import { say } from "../words";

interface Props {
  card: Card;
  game: string;
  refused: (error: unknown) => void;
}

export function MatchRow({ card, game, refused }: Props) {
  const taken = card.seats.filter((seat) => seat.name !== null || seat.stand_in);
  const waits = card.seat !== null && card.status === "playing" && card.waiting_on.includes(card.seat);
  const join = (): void => {
    joinMatch(card.match).then(() => goToMatch(card.match), refused);
  };
  return (
    <li class={waits ? "row waits" : "row"}>
      <div>
        <strong>{game}</strong> {card.name !== null && <span class="match-name">{card.name}</span>}
        <p class="row-facts">
          <span class="seat-signs">
            {card.seats.map((seat) => (
              <span key={seat.seat} class={seat.name === null && !seat.stand_in ? "free" : "taken"}>
                <SeatMark seat={seat.seat} />
              </span>
            ))}
          </span>
          {say("card.seats", { taken: taken.length, seats: card.seats.length })}
          {" · "}
          {waits ? <b>{say("lobby.yourmove")}</b> : say(`status.${card.status}`)}
        </p>
      </div>
      <div class="row-actions">
        {card.seat === null && card.status === "open" ? (
          <button type="button" onClick={join}>
            {say("lobby.join")}
          </button>
        ) : (
          <a class="button" href={matchAddress(card.match)}>
            {say(card.seat === null ? "lobby.watch" : "lobby.go")}
          </a>
        )}
      </div>
    </li>
  );
}
