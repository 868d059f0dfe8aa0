// Options that are lists: a table of numbers, and a deck of cards with a choice or two for each. They follow the schema, too;
// whoever touches none of it plays with the default.

import { say } from "../words";
import type { Schema } from "./options";

interface Props {
  label: string;
  schema: Schema;
  names: Record<string, string>;
  value: unknown;
  set: (value: unknown) => void;
}

/** Whether it is a list of rows of integers, as many as there are. */
export function isGrid(schema: Schema): boolean {
  return schema.type === "array" && schema.items?.type === "array" && schema.items.items?.type === "integer";
}

/** Whether it is a list of objects with nothing but choices in them. */
export function isDeck(schema: Schema): boolean {
  const fields = Object.values(schema.items?.properties ?? {});
  return schema.type === "array" && fields.length > 0 && fields.every((field) => field.enum !== undefined);
}

/** What has been chosen, or else the default. */
function itemsOf<Item>(value: unknown, schema: Schema): Item[] {
  return (Array.isArray(value) ? value : Array.isArray(schema.default) ? schema.default : []) as Item[];
}

/** A number, or nothing while another one is being typed; the service says what is wrong with it. */
type Cell = number | "";

export function Grid({ label, schema, value, set }: Props) {
  const rows = itemsOf<Cell[]>(value, schema);
  const number = schema.items?.items;
  const change = (row: number, column: number, to: Cell): void =>
    set(rows.map((cells, r) => cells.map((cell, c) => (r === row && c === column ? to : cell))));
  return (
    <details class="list-option">
      <summary>{label}</summary>
      <ol>
        {rows.map((cells, row) => (
          <li key={row} class="numbers">
            {cells.map((cell, column) => (
              <input
                key={column}
                type="number"
                min={number?.minimum}
                max={number?.maximum}
                aria-label={say("list.cell", { row: row + 1, column: column + 1 })}
                value={cell}
                onInput={({ currentTarget: { value: typed } }) => change(row, column, typed === "" ? "" : Number(typed))}
              />
            ))}
          </li>
        ))}
      </ol>
      <Usual value={value} set={set} />
    </details>
  );
}

export function Deck({ label, schema, names, value, set }: Props) {
  const cards = itemsOf<Record<string, string>>(value, schema);
  const fields = Object.entries(schema.items?.properties ?? {});
  const change = (index: number, id: string, to: string): void =>
    set(cards.map((card, other) => (other === index ? { ...card, [id]: to } : card)));
  const first = Object.fromEntries(fields.map(([id, field]) => [id, field.enum?.[0] ?? ""]));
  return (
    <details class="list-option">
      <summary>{label}</summary>
      <ol>
        {cards.map((card, index) => (
          <li key={index}>
            <span aria-hidden="true">{index + 1}</span>
            {fields.map(([id, field], column) => (
              <select
                key={id}
                aria-label={say("list.cell", { row: index + 1, column: column + 1 })}
                onChange={(event) => change(index, id, event.currentTarget.value)}
              >
                {field.enum?.map((choice) => (
                  <option key={choice} value={choice} selected={choice === card[id]}>
                    {names[choice] ?? choice}
                  </option>
                ))}
              </select>
            ))}
            <button
              type="button"
              class="quiet"
              aria-label={say("list.remove", { row: index + 1 })}
              disabled={cards.length <= (schema.minItems ?? 0)}
              onClick={() => set(cards.filter((_, other) => other !== index))}
            >
              <span aria-hidden="true">✕</span>
            </button>
          </li>
        ))}
      </ol>
      <button type="button" disabled={cards.length >= (schema.maxItems ?? Infinity)} onClick={() => set([...cards, first])}>
        {say("list.add")}
      </button>
      <Usual value={value} set={set} />
    </details>
  );
}

function Usual({ value, set }: Pick<Props, "value" | "set">) {
  return (
    <button type="button" class="quiet" disabled={value === undefined} onClick={() => set(undefined)}>
      {say("new.default")}
    </button>
  );
}
