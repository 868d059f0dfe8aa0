// The cards of Inside Job: a suit is told by its sign, its colour and its name.

import { PlainMark, SuitMark } from "../../art/Mark";
import type { InsideJobGame, InsideJobView } from "../../api/types";
import type { Teller } from "../../match/teller";
import { say } from "../../words";

export type Mission = NonNullable<InsideJobView["table"]["mission"]>;

export function missionOf(game: InsideJobGame, id: string): Mission | undefined {
  const card = game.components.missions.find((one) => one.id === id);
  return card === undefined
    ? undefined
    : { mission: card.id, condition: card.condition, trump: card.trump, risk: card.risk };
}

export function Face({ game, id }: { game: InsideJobGame; id: string }) {
  const card = game.components.cards.find((one) => one.id === id);
  return (
    <>
      <SuitMark suit={card?.suit ?? ""} />
      <b>{card?.rank}</b>
    </>
  );
}

export function suitOf(game: InsideJobGame, id: string): string {
  return game.components.cards.find((one) => one.id === id)?.suit ?? "";
}

export function MissionFace({ mission, teller }: { mission: Mission; teller: Teller }) {
  return (
    <>
      {mission.risk && <small class="risk">{say("i.risk")}</small>}
      <strong>{teller.name(mission.condition)}</strong>
      <span class="trump">
        <SuitMark suit={mission.trump} />
        {say("i.trump", { suit: teller.name(mission.trump) })}
      </span>
    </>
  );
}

/** Missions that were accomplished, one box for each that is needed. */
export function Progress({ view, teller }: { view: InsideJobView; teller: Teller }) {
  const { succeeded, failed, missions_needed: needed } = view.table;
  const boxes = Array.from({ length: Math.max(needed, succeeded.length) }, (_, number) => succeeded[number]);
  return (
    <div class="progress">
      <p>{say("i.progress", { done: succeeded.length, needed })}</p>
      <ul>
        {boxes.map((mission, number) => (
          <li
            key={number}
            class={mission === undefined ? "" : "done"}
            title={mission === undefined ? undefined : teller.name(mission)}
          >
            {mission !== undefined && <PlainMark kind="done" />}
          </li>
        ))}
        {failed.map((mission, number) => (
          <li key={`failed-${number}`} class="failed" title={teller.name(mission)}>
            <PlainMark kind="failed" />
          </li>
        ))}
      </ul>
    </div>
  );
}
