/* The data that the table draws and the questions that it answers: the kernel's records as they come over the wire. */
export interface Message {
  id: string;
  arguments?: Record<string, unknown>;
}
export type Point = [number, number];

export interface Ground {
  id: string;
  kind: string;
  form: string;
  shape: Point[];
  name: Message;
  height?: number;
  width?: number;
  letter?: string;
  openings?: Point[][];
}
export interface Figure {
  id: string;
  side: string;
  name: Message;
  group: string;
  x: number;
  y: number;
  facing: number;
  width: number;
  depth: number;
  symbol: string;
  letter: string;
  states?: string[];
  carried_by?: string;
  leader?: boolean;
}
export interface Mark {
  id: string;
  kind: string;
  shape: Point[];
  name: Message;
  side?: string;
  letter?: string;
}
export interface Group {
  id: string;
  side: string;
  name: Message;
  facts?: Message[];
  states?: string[];
}
export interface Scene {
  unit: string;
  width: number;
  height: number;
  turn: number;
  phase: Message;
  active: string;
  ground: Ground[];
  figures: Figure[];
  marks?: Mark[];
  groups?: Group[];
  lines?: Message[];
  phases?: Message[];
}

export interface Refusal {
  rule: string;
  message: Message;
}
export interface Option {
  id: string;
  label: Message;
  refusal?: Refusal | null;
  units?: string[];
}
interface Asked {
  player: string;
  decision: string;
  prompt: Message;
  unit?: string;
  default?: unknown;
}
export interface Placing {
  x: number;
  y: number;
  facing?: number;
}
export interface Route {
  path?: Point[];
  facing?: number | null;
}
export interface PickOne extends Asked {
  ask: "pick_one";
  options: Option[];
}
export interface PickSeveral extends Asked {
  ask: "pick_several";
  options: Option[];
  least?: number;
  most?: number | null;
}
export interface PickRoute extends Asked {
  ask: "pick_route";
  reach?: number | null;
  hints?: Record<string, unknown>;
}
export interface PickPlaces extends Asked {
  ask: "pick_places";
  pieces: string[];
  optional?: boolean;
  hints?: Record<string, unknown>;
}
export interface Allocate extends Asked {
  ask: "allocate";
  things: string[];
  receivers: Option[];
}
export interface TypeDie extends Asked {
  ask: "type_die";
  sides: number;
  label: string;
}
export type Request = PickOne | PickSeveral | PickRoute | PickPlaces | Allocate | TypeDie;

export interface Modifier {
  label: string;
  amount: number;
  rule?: string;
}
export interface Roll {
  type: "roll";
  label: string;
  sides: number;
  faces: number[];
  needed?: string;
  result?: unknown;
  modifiers?: Modifier[];
  rule?: string;
}
export interface LookUp {
  type: "chart";
  chart: string;
  keys: Record<string, unknown>;
  value: unknown;
  rule?: string;
}
export interface Note {
  type: "note";
  message: string;
  rule?: string;
  arguments?: Record<string, unknown>;
}
export type TraceEntry = Roll | LookUp | Note;

export interface Chance {
  outcome: Message;
  p: string;
}
export interface Card {
  summary: Message;
  odds?: Chance[];
  parts?: Modifier[];
}
export interface Reach {
  length: number;
  cost: number;
  allowed?: number | null;
  legs?: { ground: Message; length: number; cost: number }[];
  furthest?: Point | null;
  refusal?: Refusal | null;
  watchers?: string[];
  notes?: Message[];
}
export interface Sight {
  clear: boolean;
  distance: number;
  line?: Point[];
  blocker?: Message | null;
  at?: Point | null;
  rule?: string;
  notes?: Message[];
}

export interface Entry {
  event: string;
  says: Message;
  units?: string[];
  trace?: TraceEntry[];
  secret?: boolean;
}
export interface Decision {
  number: number;
  request: Request;
}
export interface SeatInfo {
  side: string;
  kind: string;
  name?: string;
  bot?: string;
  typed?: boolean;
}
export interface Result {
  winner: string | null;
  reason: Message;
  rule?: string;
}
export interface Things {
  put?: ({ id: string } & Record<string, unknown>)[];
  gone?: string[];
  order?: string[];
}
export interface SceneChange {
  whole?: Scene | null;
  turn?: number | null;
  phase?: Message | null;
  active?: string | null;
  ground?: Things | null;
  figures?: Things | null;
  marks?: Things | null;
  groups?: Things | null;
  lines?: Message[] | null;
  phases?: Message[] | null;
}
export interface State {
  at: number;
  log?: Entry[];
  waiting?: string;
  given?: number;
  decision?: Decision | null;
  undo?: "" | "free" | "consent";
  take_back?: { by: string } | null;
  result?: Result | null;
  seed?: string;
}
export interface Hello extends State {
  type: "hello";
  match: string;
  game: string;
  title: string;
  view: "a" | "b" | "public";
  seats: SeatInfo[];
  present: string[];
  scene: Scene;
  names: Record<string, string>;
  era: string;
  seed_hash: string;
}
export interface Changes extends State {
  type: "changes";
  scene?: SceneChange | null;
  names?: Record<string, string> | null;
  era?: string;
}
export interface Present {
  type: "present";
  views: string[];
}
export interface Refused {
  type: "refused";
  code: string;
  says: Message;
  rule?: string;
  number?: number | null;
}
export type ServerMessage = Hello | Changes | Present | Refused;
