// The contract's types, by the names that this client uses for them.

import type { components } from "./contract";

type Schemas = components["schemas"];

export type Problem = Schemas["Problem"];
export type Guest = Schemas["Guest"];
export type Card = Schemas["MatchCard"];
export type Seat = Schemas["Seat"];
export type View = Schemas["View"];
export type Move = Schemas["Move"];
export type NewMatch = Schemas["NewMatch"];
export type Game = Schemas["Game"];
export type GameDetails = Schemas["GameDetails"];
export type GameId = Schemas["GameId"];
export type Result = Schemas["Result"];
export type LogEntry = Schemas["EventPage"]["items"][number];

export type VerraeterView = Schemas["VerraeterView"];
export type VerraeterGame = Schemas["VerraeterGame"];
export type VerraeterMove = Schemas["VerraeterMove"];
export type KabaleView = Schemas["KabaleView"];
export type KabaleGame = Schemas["KabaleGame"];
export type KabaleMove = Schemas["KabaleMove"];
export type InsideJobView = Schemas["InsideJobView"];
export type InsideJobGame = Schemas["InsideJobGame"];
export type InsideJobMove = Schemas["InsideJobMove"];
