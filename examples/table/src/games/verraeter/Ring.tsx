// The twelve landscapes: whose house they belong to, how strong they are, what is built there, and where is fought.

import { Emblem } from "../../art/houses";
import { Building, Landscape } from "../../art/landscapes";
import { seatPath } from "../../art/Mark";
import type { VerraeterGame, VerraeterView } from "../../api/types";
import type { Picking } from "../../match/picking";
import { Spot } from "../../match/Spot";
import type { Teller } from "../../match/teller";
import { say } from "../../words";
import { Middle } from "./Middle";
import { ends, landName } from "./moves";
import { BAND, INNER, OUTER, at, move, sector } from "./ring";

interface Props {
  view: VerraeterView;
  game: VerraeterGame;
  teller: Teller;
  picking: Picking;
}

export function Ring({ view, game, teller, picking }: Props) {
  const { landscapes, conflict } = view.table;
  return (
    <svg class="ring" viewBox="-330 -330 660 660" role="group" aria-label={say("v.ring")}>
      {landscapes.map((landscape, position) => (
        <Land
          key={position}
          position={position}
          landscape={landscape}
          base={game.components.landscapes.find((card) => card.id === landscape.type)?.base ?? 0}
          fought={conflict !== null && ends(conflict.border).includes(position)}
          teller={teller}
          picking={picking}
        />
      ))}
      {landscapes.map((_, border) => (
        <Border key={border} border={border} view={view} teller={teller} picking={picking} />
      ))}
      <Middle view={view} />
    </svg>
  );
}

interface LandProps {
  position: number;
  landscape: VerraeterView["table"]["landscapes"][number];
  base: number;
  fought: boolean;
  teller: Teller;
  picking: Picking;
}

function Land({ position, landscape, base, fought, teller, picking }: LandProps) {
  const { type, house, building } = landscape;
  const words = [
    say("v.land.long", { type: teller.name(type), number: position + 1, house: teller.name(house), base }),
    ...(building === null
      ? []
      : [say("v.land.building", { side: teller.name(building.side), who: teller.who(building.owner) })]),
  ].join(", ");
  const aside = position < 6 ? 0.27 : -0.27; // a building takes half of the room
  return (
    <Spot
      thing={`land:${position}`}
      label={words}
      picking={picking}
      class={`land land-${type} house-${house} ${fought ? "fought" : ""}`}
    >
      <path class="ground" d={sector(position, BAND, INNER)} />
      <path class="band" d={sector(position, OUTER, BAND)} />
      <g transform={move(at(position, (OUTER + BAND) / 2))}>
        <Emblem house={house} size={34} />
      </g>
      <g transform={move(at(position, 245))}>
        <Landscape type={type} />
      </g>
      <g class="base" transform={move(at(position + (building === null ? 0 : aside), 178))}>
        <path d="M-17-16h34v17c0 9-8 14-17 18-9-4-17-9-17-18z" />
        <text y="8">{base}</text>
      </g>
      {building !== null && (
        <g transform={move(at(position - aside, 172))}>
          <Building side={building.side} owner={building.owner} mark={seatPath(building.owner)} />
        </g>
      )}
      <path class="rim" d={sector(position, OUTER - 4, INNER + 5, 0.475)} />
    </Spot>
  );
}

function Border({ border, view, teller, picking }: { border: number; view: VerraeterView; teller: Teller; picking: Picking }) {
  const thing = `border:${border}`;
  const here = view.table.conflict?.border === border;
  if (!here && !picking.can(thing)) {
    return null;
  }
  const [a, b] = ends(border);
  const values = { a: landName(view, a, teller), b: landName(view, b, teller) };
  return (
    <g transform={move(at(border + 0.5, 236))}>
      <Spot
        thing={thing}
        label={say(here ? "v.border.conflict" : "v.border", values)}
        picking={picking}
        class={here ? "border here" : "border"}
      >
        <circle r="25" />
        <path class="swords" d="M-13-13l3 0L13 10l-3 3L-13-10zM13-13l-3 0L-13 10l3 3L13-10z" />
      </Spot>
    </g>
  );
}
