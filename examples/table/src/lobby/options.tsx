// The options of a game, from the JSON Schema that comes with it. What has no field here keeps its default.

import { isKey, say } from "../words";
import type { Game } from "../api/types";
import { Deck, Grid, isDeck, isGrid } from "./lists";

export type Options = Record<string, unknown>;

export interface Schema {
  description?: string;
  type?: string;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  minimum?: number;
  maximum?: number;
  default?: unknown;
}

export type Schemas = Record<string, Schema>;

export function optionsOf(game: Game): Schemas {
  const schema = game.options.schema as { properties?: Schemas };
  return schema.properties ?? {};
}

interface FieldProps {
  id: string;
  schema: Schema;
  names: Record<string, string>;
  value: unknown;
  set: (value: unknown) => void;
}

/** Our words for it; else what the schema says, in English. */
function label(id: string, schema: Schema): string {
  const key = `option.${id}`;
  return isKey(key) ? say(key) : (schema.description ?? id);
}

function Field({ id, schema, names, value, set }: FieldProps) {
  const words = label(id, schema);
  if (schema.type === "boolean") {
    const checked = (value ?? schema.default) === true;
    return (
      <label class="check">
        <input type="checkbox" checked={checked} onChange={(event) => set(event.currentTarget.checked)} />
        {words}
      </label>
    );
  }
  if (schema.enum !== undefined) {
    const named = (choice: string): string => {
      const key = `option.${id}.${choice}`;
      return isKey(key) ? say(key) : choice;
    };
    return (
      <label>
        {words}
        <select onChange={(event) => set(event.currentTarget.value)}>
          {schema.enum.map((choice) => (
            <option key={choice} value={choice} selected={choice === (value ?? schema.default)}>
              {named(choice)}
            </option>
          ))}
        </select>
      </label>
    );
  }
  if (schema.type === "array" && schema.items?.enum !== undefined) {
    return <Several id={id} schema={schema} names={names} value={value} set={set} />;
  }
  if (isGrid(schema) || isDeck(schema)) {
    const List = isGrid(schema) ? Grid : Deck;
    return <List label={words} schema={schema} names={names} value={value} set={set} />;
  }
  const number = schema.type === "integer" ? schema : schema.anyOf?.find((one) => one.type === "integer");
  if (number === undefined) {
    return null;
  }
  return (
    <label>
      {words}
      <input
        type="number"
        min={number.minimum}
        max={number.maximum}
        placeholder={typeof schema.default === "number" ? String(schema.default) : say("new.default")}
        value={typeof value === "number" ? value : ""}
        onInput={(event) => set(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value))}
      />
    </label>
  );
}

function Several({ id, schema, names, value, set }: FieldProps) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const toggle = (choice: string): void => {
    set(chosen.includes(choice) ? chosen.filter((other) => other !== choice) : [...chosen, choice]);
  };
  return (
    <fieldset>
      <legend>{label(id, schema)}</legend>
      {schema.items?.enum?.map((choice) => (
        <label key={choice} class="check">
          <input type="checkbox" checked={chosen.includes(choice)} onChange={() => toggle(choice)} />
          {names[choice] ?? choice}
        </label>
      ))}
    </fieldset>
  );
}

interface Props {
  schema: Schemas;
  names: Record<string, string>;
  chosen: Options;
  choose: (options: Options) => void;
}

export function OptionFields({ schema, names, chosen, choose }: Props) {
  const set = (id: string) => (value: unknown): void => {
    const others = Object.entries(chosen).filter(([other]) => other !== id);
    choose(Object.fromEntries(value === undefined ? others : [...others, [id, value]]));
  };
  return (
    <div class="fields">
      {Object.entries(schema).map(([id, one]) => (
        <Field key={id} id={id} schema={one} names={names} value={chosen[id]} set={set(id)} />
      ))}
    </div>
  );
}
