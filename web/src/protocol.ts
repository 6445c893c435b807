// Made from the server's records by `python -m sandtable.server.typescript`; do not edit.

/** What the game says about the options of the pending question. */
export interface Advice {
  number: number;
  options: Record<string, Message>;
}

/** Give things out: the answer maps each receiver to the list of things it gets; every thing goes exactly once. */
export interface Allocate {
  ask: "allocate";
  things: string[];
  receivers: Option[];
  player: string;
  decision: string;
  prompt: Message;
  unit?: string;
  default?: unknown;
}

/** The answer to this seat's decision `number`. */
export interface Answer {
  type: "answer";
  number: number;
  answer: unknown;
}

export interface BotInfo {
  id: string;
  best: boolean;
}

/** What a player should know about one option before he takes it. */
export interface Card {
  summary: Message;
  odds?: Chance[];
  scores?: Modifier[][];
  notes?: Message[];
}

/** One line of an odds card: what may come of it, and how likely that is, exactly (`5/36`). */
export interface Chance {
  outcome: Message;
  p: string;
}

/** What is new since the last message. */
export interface Changes {
  type: "changes";
  at: number;
  log?: Entry[];
  waiting?: string;
  given?: number;
  decision?: Decision | null;
  undo?: "" | "consent" | "free";
  take_back?: TakeBack | null;
  result?: Result | null;
  seed?: string;
  scene?: SceneChange | null;
  names?: Record<string, string> | null;
  era?: string;
}

/** What this side says to the other's wish to take back. */
export interface Consent {
  type: "consent";
  yes: boolean;
}

/** A new match, and the tokens of its seats. They are shown this once. */
export interface Created {
  match: string;
  tokens: Record<string, string>;
}

/** The question that this seat has to answer. */
export interface Decision {
  number: number;
  request: PickOne | PickSeveral | PickRoute | PickPlaces | Allocate | TypeDie;
}

/** One thing that happened, as it stands in the log. Its number is its place in what this view may see. */
export interface Entry {
  event: string;
  says: Message;
  units?: string[];
  trace?: (Roll | LookUp | Note)[];
  secret?: boolean;
  shapes?: [number, number][][];
}

/** A piece on the table. */
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

/** One moment of a replay: what happened, and what changed on the table by it. */
export interface Frame {
  entry: Entry;
  scene?: SceneChange | null;
}

export interface GameInfo {
  id: string;
  name: string;
  unit: string;
  scenarios: ScenarioInfo[];
  bots: BotInfo[];
}

/** A piece of terrain. */
export interface Ground {
  id: string;
  kind: string;
  form: string;
  shape: [number, number][];
  name: Message;
  height?: number;
  width?: number;
  letter?: string;
  openings?: [number, number][][];
}

/** A platoon or formation, for lists and cards. */
export interface Group {
  id: string;
  side: string;
  name: Message;
  facts?: Message[];
  states?: string[];
}

/** Everything, once, after joining. */
export interface Hello {
  type: "hello";
  at: number;
  log?: Entry[];
  waiting?: string;
  given?: number;
  decision?: Decision | null;
  undo?: "" | "consent" | "free";
  take_back?: TakeBack | null;
  result?: Result | null;
  seed?: string;
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

/** Everything that the first page shows, in one answer. */
export interface Home {
  games: GameInfo[];
  cards: Record<string, ScenarioCard[]>;
}

/** A save, to be played on or looked at. */
export interface ImportMatch {
  save: string;
  a?: SeatWanted;
  b?: SeatWanted;
}

export interface Imported {
  match: string;
  tokens: Record<string, string>;
  verified: boolean;
  difference?: string;
}

/** The first message: who is there, and how much of the log he has from an earlier connection. */
export interface Join {
  type: "join";
  token: string;
  era?: string;
  seen?: number;
}

/** The templates that an option would lay on the table, true to size, and the pieces that would lie under them. */
export interface Laid {
  shapes: [number, number][][];
  under?: string[];
}

/** A stretch of a route over one kind of ground: its length, and what it costs (grid units). */
export interface Leg {
  ground: Message;
  length: number;
  cost: number;
}

/** Entries of the log from number `at` on, of `length` that there are. */
export interface LogPart {
  at: number;
  length: number;
  log: Entry[];
}

/** Two ends of a line: pieces by their ids, or points. */
export interface LookFrom {
  a: string | [number, number];
  b: string | [number, number];
}

/** A chart that was read, with the keys and the value found. */
export interface LookUp {
  type: "chart";
  chart: string;
  keys: Record<string, unknown>;
  value: unknown;
  rule?: string;
}

export interface Looked {
  distance: number;
  sight?: Sight | null;
}

/** A marker, template, objective or zone. */
export interface Mark {
  id: string;
  kind: string;
  shape: [number, number][];
  name: Message;
  side?: string;
  letter?: string;
}

/** How a match stands. */
export interface MatchInfo {
  match: string;
  game: string;
  title: string;
  views: string[];
  seats: SeatInfo[];
  created: number;
  changed: number;
  turn: number;
  waiting?: string;
}

/** Something to say, in no language yet. */
export interface Message {
  id: string;
  arguments?: Record<string, unknown>;
}

/** One reason why a number is what it is. */
export interface Modifier {
  label: string;
  amount: number;
  rule?: string;
}

/** An enemy near a piece or group: from which of its pieces it is how far, as the rules measure, and whether that one sees it. */
export interface Near {
  piece: string;
  source: string;
  distance: number;
  sight?: Sight | null;
}

/** A match to be begun: a scenario of the game by its name, or one of the player's own as TOML text. */
export interface NewMatch {
  game: string;
  scenario?: string;
  own?: string;
  a?: SeatWanted;
  b?: SeatWanted;
  typed?: ("a" | "b")[];
}

/** A ruling applied without dice: a message id with its arguments. */
export interface Note {
  type: "note";
  message: string;
  rule?: string;
  arguments?: Record<string, unknown>;
}

/** One thing a player may pick; with a refusal, one that he may not, and why. */
export interface Option {
  id: string;
  label: Message;
  refusal?: Refusal | null;
  units?: string[];
}

export interface OwnScenario {
  own: string;
}

/** Pick one of the options. The answer is its id. */
export interface PickOne {
  ask: "pick_one";
  options: Option[];
  player: string;
  decision: string;
  prompt: Message;
  unit?: string;
  default?: unknown;
}

/** A place for each of some pieces, markers or templates. The answer maps each id to x, y and facing. */
export interface PickPlaces {
  ask: "pick_places";
  pieces: string[];
  optional?: boolean;
  hints?: Record<string, unknown>;
  player: string;
  decision: string;
  prompt: Message;
  unit?: string;
  default?: unknown;
}

/** A route for a unit. `reach` (grid units) and `hints` help to draw it; the check has the last word. */
export interface PickRoute {
  ask: "pick_route";
  reach?: number | null;
  hints?: Record<string, unknown>;
  player: string;
  decision: string;
  prompt: Message;
  unit?: string;
  default?: unknown;
}

/** Pick several different options. The answer is a list of ids; their order is kept. */
export interface PickSeveral {
  ask: "pick_several";
  options: Option[];
  least?: number;
  most?: number | null;
  player: string;
  decision: string;
  prompt: Message;
  unit?: string;
  default?: unknown;
}

/** Where a marker, template or piece is put (grid units, degrees). */
export interface Placing {
  x: number;
  y: number;
  facing?: number;
}

/** Who is at the table now. */
export interface Present {
  type: "present";
  views: string[];
}

/** Why a request was not granted. */
export interface Problem {
  error: string;
  message: string;
  problems?: string[];
  rule?: string;
  says?: Message | null;
}

/** A route, measured and checked but not taken. */
export interface Reach {
  length: number;
  cost: number;
  allowed?: number | null;
  legs?: Leg[];
  furthest?: [number, number] | null;
  refusal?: Refusal | null;
  watchers?: string[];
  notes?: Message[];
}

/** Why something is not possible. */
export interface Refusal {
  rule: string;
  message: Message;
}

/** Something was not done, and nothing has changed. */
export interface Refused {
  type: "refused";
  code: "illegal" | "malformed" | "mistake" | "no_seat" | "not_granted" | "not_stored" | "not_yours" | "nothing_asked" | "stale" | "too_fast";
  says: Message;
  rule?: string;
  number?: number | null;
}

/** A stretch of a replay: the scene before entry `at`, and what followed. */
export interface Replay {
  at: number;
  length: number;
  scene: Scene;
  frames: Frame[];
  names?: Record<string, string>;
  over?: boolean;
}

/** How a battle ended: the side that won (None for a draw) and why. */
export interface Result {
  winner: string | null;
  reason: Message;
  rule?: string;
}

/** How far a piece shoots, commands or sees, to be drawn around it: a full ring, or the part of one within an arc. */
export interface Ring {
  kind: string;
  piece: string;
  centre: [number, number];
  radius: number;
  label: Message;
  inner?: number;
  around?: [number, number][];
  facing?: number | null;
  arc?: number | null;
  rule?: string;
}

/** Dice that were rolled, what they were for, and what came of it. */
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

/** Where a piece goes: the points of its path after the present one (grid units), and its facing at the end. */
export interface Route {
  path?: [number, number][];
  facing?: number | null;
}

/** A rule of the game, in our own words. */
export interface RuleText {
  id: string;
  text: string;
  section?: string;
}

/** A scenario with a picture of its beginning. */
export interface ScenarioCard {
  id: string;
  name: string;
  about?: string;
  turns?: number | null;
  forces?: Record<string, string>;
  scene: Scene;
  names?: Record<string, string>;
}

/** A scenario in a list. Names are ids of texts where the game has texts for them. */
export interface ScenarioInfo {
  id: string;
  name: string;
  about?: string;
  turns?: number | null;
  forces?: Record<string, string>;
}

/** The whole table as one side may see it. */
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

/** What is different about the scene. A field that is left out has not changed. */
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

export interface SeatInfo {
  side: string;
  kind: string;
  name?: string;
  bot?: string;
  typed?: boolean;
}

/** How a side's seat is to be filled. */
export interface SeatWanted {
  bot?: string;
  name?: string;
}

/** Whether one place sees another, how far it is, and what is in the way. */
export interface Sight {
  clear: boolean;
  distance: number;
  line?: [number, number][];
  blocker?: Message | null;
  at?: [number, number] | null;
  rule?: string;
  notes?: Message[];
}

/** A side's wish to go back, which the other side may grant. */
export interface TakeBack {
  by: string;
}

/** Changes to a list of things with ids: new ones whole, changed ones by their id and the fields that changed. */
export interface Things {
  put?: Record<string, unknown>[];
  gone?: string[];
  order?: string[];
}

export interface Tokens {
  tokens: string[];
}

/** An answer that the player thinks about. */
export interface TryAnswer {
  number: number;
  answer: unknown;
}

export interface TryPlaces {
  number: number;
  places: Record<string, Placing>;
}

export interface TryRoute {
  number: number;
  route: Route;
}

/** A die that the player rolls himself. The answer is its face. */
export interface TypeDie {
  ask: "type_die";
  sides: number;
  label: string;
  player: string;
  decision: string;
  prompt: Message;
  unit?: string;
  default?: unknown;
}

/** Back to this seat's decision `number`. Where the rules need it, the other side is asked first. */
export interface Undo {
  type: "undo";
  number: number;
}

/** Whether the rules would take an answer; nothing has been done. */
export interface Verdict {
  legal: boolean;
  refusal?: Refusal | null;
}

export type AnyRequest = Allocate | PickOne | PickPlaces | PickRoute | PickSeveral | TypeDie;

export type ClientMessage = Answer | Consent | Join | Undo;

export type ServerMessage = Changes | Hello | Present | Refused;

export type TraceEntry = LookUp | Note | Roll;
