import { ahead, along, apart, bearing, pathLength, upTo } from "../field/geometry";
import type { Card, Figure, Laid, Looked, Message, Near, Option, Placing, Point, Reach, Refusal, Request, Ring, Route, Scene } from "../wire/types";

/** What a player may ask the rules before he decides. Every answer comes from the server; null when the game has none. */
export interface Planner {
  check(answer: unknown): Promise<{ refusal?: Refusal | null } | null>;
  reach(route: Route): Promise<Reach | null>;
  advice(): Promise<Record<string, Message> | null>;
  card(option: string): Promise<Card | null>;
  mayDo(piece: string): Promise<Option[] | null>;
  under(places: Record<string, Placing>): Promise<string[] | null>;
  laid(option: string): Promise<Laid | null>;
  near(piece: string): Promise<Near[] | null>;
  sight(a: string | Point, b: string | Point): Promise<Looked | null>;
  rings(piece: string): Promise<Ring[] | null>;
}

const STAY: Route = {};
/** Kinds of questions for which the game had no odds cards, or no templates, and how often it was asked in vain. */
const WITHOUT_CARDS = new Map<string, number>();
const WITHOUT_TEMPLATES = new Map<string, number>();

/** An answer in the making: what the player has clicked so far, and what the rules say to it. */
export class Draft {
  readonly request: Request;
  readonly number: number;
  scene: Scene;

  path = $state.raw<Point[]>([]);
  facing = $state<number | null>(null);
  places = $state.raw<Record<string, Placing>>({});
  held = $state("");
  together = $state(false);
  picked = $state.raw<string[]>([]);
  given = $state.raw<Record<string, string>>({});
  sent = $state(false);

  reach = $state.raw<Reach | null>(null);
  refusal = $state.raw<Refusal | null>(null);
  under = $state.raw<string[]>([]);
  advice = $state.raw<Record<string, Message>>({});
  /** The odds cards seen so far: null where the game has none. */
  cards = $state.raw<Record<string, Card | null>>({});
  /** The templates that options would lay, and who would lie under them; null where an option lays none. */
  laid = $state.raw<Record<string, Laid | null>>({});
  /** A route only pointed at: what the rules say to one more leg, as far as the pointer. */
  peeked = $state.raw<{ point: Point; reach: Reach } | null>(null);
  checking = $state(false);
  cutting = $state(false);

  #planner: Planner;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #wanted = new Set<string>();
  #point: Point | null = null;
  #peeking = false;
  #peeks = 0;

  constructor(number: number, request: Request, scene: Scene, planner: Planner) {
    this.number = number;
    this.request = request;
    this.scene = scene;
    this.#planner = planner;
    if (request.ask === "pick_places") {
      this.places = { ...((request.default as Record<string, Placing> | null) ?? {}) };
      this.held = request.pieces.length === 1 || request.pieces.every((piece) => this.isMarker(piece)) ? request.pieces[0]! : "";
    }
    if (request.ask === "pick_several") this.picked = [...((request.default as string[] | null) ?? [])];
    if (request.ask === "allocate") {
      const wanted = (request.default as Record<string, string[]> | null) ?? {};
      this.given = Object.fromEntries(Object.entries(wanted).flatMap(([receiver, things]) => things.map((thing) => [thing, receiver])));
    }
    if (request.ask === "pick_one" || request.ask === "pick_several" || request.ask === "allocate")
      void planner.advice().then((found) => (this.advice = found ?? {}));
    if (request.ask === "pick_places") this.look();
  }

  /** The piece that the question is about. */
  get mover(): Figure | undefined {
    return this.scene.figures.find((figure) => figure.id === this.request.unit);
  }

  get start(): Point | null {
    const mover = this.mover;
    return mover ? [mover.x, mover.y] : null;
  }

  get end(): Point | null {
    return this.path.at(-1) ?? this.start;
  }

  /** How a piece looks at the end of its route: as it was turned by hand, else along its last leg. */
  get endFacing(): number {
    if (this.facing !== null) return this.facing;
    const last = this.path.at(-1);
    const before = this.path.at(-2) ?? this.start;
    if (last && before && apart(last, before) > 1) return bearing(before, last);
    return this.mover?.facing ?? 0;
  }

  // -- a route ------------------------------------------------------------------------------------------------------

  /** What the rules would say if the route went on to here; asked while the pointer moves, one question at a time and not too often. */
  peek(point: Point | null): void {
    this.#point = point && this.path.length < 60 ? rounded(point) : null;
    if (!this.#point) {
      this.#peeks++;
      this.peeked = null;
    } else if (!this.#peeking) void this.#peek();
  }

  async #peek(): Promise<void> {
    this.#peeking = true;
    while (this.#point) {
      const [point, asked] = [this.#point, this.#peeks];
      const path = [...this.path, point];
      const reach = await this.#planner.reach({ path, facing: bearing(path.at(-2) ?? this.start ?? path[0]!, point) });
      if (asked === this.#peeks) this.peeked = reach && { point, reach };
      await new Promise((done) => setTimeout(done, 70));
      if (this.#point === point) break;
    }
    this.#peeking = false;
  }

  addPoint(point: Point): void {
    this.peek(null);
    if (this.path.length >= 60) return;
    this.path = [...this.path, rounded(point)];
    this.look();
  }

  movePoint(index: number, point: Point): void {
    this.path = this.path.map((old, i) => (i === index ? rounded(point) : old));
    this.look();
  }

  undoPoint(): void {
    if (this.path.length) this.path = this.path.slice(0, -1);
    else this.facing = null;
    this.look();
  }

  clear(): void {
    this.path = [];
    this.facing = null;
    this.reach = null;
    this.refusal = null;
  }

  turnTo(facing: number): void {
    const turned = ((Math.round(facing) % 360) + 360) % 360;
    if (this.request.ask === "pick_places" && this.held) {
      const place = this.places[this.held];
      if (place) this.places = { ...this.places, [this.held]: { ...place, facing: turned } };
    } else this.facing = turned;
    this.look();
  }

  turnBy(degrees: number): void {
    this.turnTo((this.request.ask === "pick_places" ? (this.places[this.held]?.facing ?? 0) : this.endFacing) + degrees);
  }

  /** Go no further than the rules allow: to the furthest point that they named, or else to the one found by asking. */
  async cut(): Promise<void> {
    if (!this.start || !this.path.length || this.cutting) return;
    const whole = [this.start, ...this.path];
    const named = this.reach?.furthest;
    this.cutting = true;
    try {
      if (named) this.path = upTo(whole, along(whole, named));
      else {
        const facing = this.facing;
        const allowed = async (length: number): Promise<boolean> => {
          const path = upTo(whole, length);
          const route = { path, facing: facing ?? bearing(path.at(-2) ?? this.start!, path.at(-1)!) };
          const told = await this.#planner.reach(route);
          return told !== null && !told.refusal;
        };
        let [low, high] = [0, pathLength(whole)];
        if (this.request.ask === "pick_route" && this.request.reach) high = Math.min(high, this.request.reach + 1);
        for (let i = 0; i < 9; i++) {
          const middle = i === 0 ? high - 1 : (low + high) / 2;
          if (await allowed(middle)) low = middle;
          else high = middle;
          if (high - low < 40) break;
        }
        this.path = low > 60 ? upTo(whole, Math.floor(low / 10) * 10) : [];
      }
    } finally {
      this.cutting = false;
    }
    this.look();
  }

  /** The keyboard: the end of the route, or the held piece, goes so far north, south, east or west. */
  nudge(dx: number, dy: number): void {
    if (this.request.ask === "pick_places") {
      const moved = this.together || !this.held ? Object.keys(this.places) : [this.held];
      const places = { ...this.places };
      for (const piece of moved) {
        const place = places[piece] ?? this.#somewhere(piece);
        const [x, y] = this.#snapped(piece, [place.x + dx, place.y + dy]);
        places[piece] = { ...place, x, y };
      }
      this.places = places;
    } else if (this.request.ask === "pick_route") {
      const end = this.end;
      if (!end) return;
      const next: Point = [end[0] + dx, end[1] + dy];
      this.path = this.path.length ? [...this.path.slice(0, -1), next] : [next];
    }
    this.look();
  }

  forward(distance: number): void {
    const end = this.end;
    if (end) {
      const next = ahead(end, this.endFacing, distance);
      this.nudge(next[0] - end[0], next[1] - end[1]);
    }
  }

  /** Whether what is placed is no piece but a marker, a template or a point: nothing is known of a base. */
  isMarker(id: string): boolean {
    const { request, scene } = this;
    if (request.ask !== "pick_places" || scene.figures.some((figure) => figure.id === id)) return false;
    return !(id in ((request.hints?.["bases"] ?? {}) as object)) && request.hints?.["width"] === undefined;
  }

  /** The pieces to be placed as figures. Those not on the table yet are described by the hint `bases`: id -> width, depth, symbol. */
  get placing(): Figure[] {
    const { request, scene } = this;
    if (request.ask !== "pick_places") return [];
    const bases = (request.hints?.["bases"] ?? {}) as Record<string, Partial<Figure>>;
    const number = (name: string): number | undefined => {
      const hint = request.hints?.[name];
      return typeof hint === "number" ? hint : undefined;
    };
    return request.pieces.map((id) => {
      const place = this.places[id] ?? this.#somewhere(id);
      const known = scene.figures.find((figure) => figure.id === id);
      const base = bases[id] ?? {};
      return {
        id, side: request.player, name: { id }, group: request.unit ?? "", letter: "", symbol: base.symbol ?? "unknown",
        width: base.width ?? number("width") ?? 1500, depth: base.depth ?? number("depth") ?? 1500,
        ...known, carried_by: "", x: place.x, y: place.y, facing: place.facing ?? 0,
      };
    });
  }

  // -- places -------------------------------------------------------------------------------------------------------

  #somewhere(piece: string): Placing {
    const figure = this.scene.figures.find((found) => found.id === piece);
    const hint = this.request.ask === "pick_places" ? this.request.hints?.["facing"] : undefined;
    const facing = typeof hint === "number" ? hint : (figure?.facing ?? 0);
    return figure ? { x: figure.x, y: figure.y, facing } : { x: Math.round(this.scene.width / 2), y: Math.round(this.scene.height / 2), facing };
  }

  /** Where a piece may be put that has to lie on the table's edge (hint `on_edge`): the nearest point of it. */
  #snapped(piece: string, [x, y]: Point): Point {
    const hint = this.request.ask === "pick_places" ? this.request.hints?.["on_edge"] : undefined;
    if (!Array.isArray(hint) || !hint.includes(piece)) return [x, y];
    const { width, height } = this.scene;
    const within: Point = [Math.max(0, Math.min(width, x)), Math.max(0, Math.min(height, y))];
    const ways: [number, Point][] = [[within[0], [0, within[1]]], [width - within[0], [width, within[1]]], [within[1], [within[0], 0]], [height - within[1], [within[0], height]]];
    return ways.reduce((best, way) => (way[0] < best[0] ? way : best))[1];
  }

  place(piece: string, point: Point): void {
    const before = this.places[piece] ?? this.#somewhere(piece);
    const [x, y] = this.#snapped(piece, rounded(point));
    const places = { ...this.places };
    if (this.together)
      for (const [other, place] of Object.entries(places)) {
        const [u, v] = this.#snapped(other, [place.x + x - before.x, place.y + y - before.y]);
        places[other] = { ...place, x: u, y: v };
      }
    places[piece] = { ...before, x, y };
    this.places = places;
    this.look();
  }

  /** As the question proposed it. */
  reset(): void {
    if (this.request.ask !== "pick_places") return;
    this.places = { ...((this.request.default as Record<string, Placing> | null) ?? {}) };
    this.look();
  }

  leaveOut(piece: string): void {
    const { [piece]: _, ...rest } = this.places;
    this.places = rest;
    this.look();
  }

  hold(step: number): void {
    if (this.request.ask !== "pick_places") return;
    const pieces = this.request.pieces;
    const now = pieces.indexOf(this.held);
    this.held = pieces[(now + step + pieces.length) % pieces.length] ?? "";
  }

  // -- several, allocation --------------------------------------------------------------------------------------------

  toggle(id: string): void {
    if (this.request.ask !== "pick_several") return;
    const most = this.request.most ?? this.request.options.length;
    if (this.picked.includes(id)) this.picked = this.picked.filter((other) => other !== id);
    else this.picked = [...(this.picked.length >= most ? this.picked.slice(1 - most || this.picked.length) : this.picked), id].slice(-most);
    this.refusal = null;
  }

  give(thing: string, receiver: string): void {
    this.given = { ...this.given, [thing]: receiver };
    this.refusal = null;
  }

  /** The odds card of an option, asked for once. */
  wantCard(id: string): void {
    const { decision } = this.request;
    const misses = WITHOUT_CARDS.get(decision) ?? 0;
    if (this.#wanted.has(id) || misses > 3) return;
    this.#wanted.add(id);
    void this.#planner.card(id).then((found) => {
      WITHOUT_CARDS.set(decision, found ? -Infinity : (WITHOUT_CARDS.get(decision) ?? 0) + 1);
      this.cards = { ...this.cards, [id]: found };
    });
  }

  /** The templates of an option, asked for once. */
  wantLaid(id: string): void {
    const kind = this.request.prompt.id;
    const misses = WITHOUT_TEMPLATES.get(kind) ?? 0;
    if (id in this.laid || misses > 3) return;
    this.laid = { ...this.laid, [id]: null };
    void this.#planner.laid(id).then((found) => {
      WITHOUT_TEMPLATES.set(kind, found ? -Infinity : (WITHOUT_TEMPLATES.get(kind) ?? 0) + 1);
      this.laid = { ...this.laid, [id]: found };
    });
  }

  /** The options that speak of a piece, with the numbers that pick them. */
  optionsOf(piece: string): { option: Option; number: number }[] {
    const { request } = this;
    if (!piece || (request.ask !== "pick_one" && request.ask !== "pick_several")) return [];
    return request.options.map((option, i) => ({ option, number: i + 1 })).filter(({ option }) => option.units?.includes(piece));
  }

  // -- the answer -----------------------------------------------------------------------------------------------------

  get ready(): boolean {
    const { request } = this;
    if (this.sent) return false;
    if (request.ask === "pick_places") return request.optional || request.pieces.every((piece) => piece in this.places);
    if (request.ask === "pick_several") return this.picked.length >= (request.least ?? 0);
    if (request.ask === "allocate") return request.things.every((thing) => thing in this.given);
    if (request.ask === "pick_route") return true;
    return false;
  }

  get answer(): unknown {
    const { request } = this;
    switch (request.ask) {
      case "pick_route":
        if (!this.path.length && this.facing === null) return STAY;
        return { path: this.path, ...(this.path.length || this.facing !== null ? { facing: this.endFacing } : {}) };
      case "pick_places":
        return Object.fromEntries(
          Object.entries(this.places).map(([piece, place]) => [piece, { x: place.x, y: place.y, facing: ((place.facing ?? 0) + 360) % 360 }]),
        );
      case "pick_several":
        return this.picked;
      case "allocate": {
        const out: Record<string, string[]> = {};
        for (const thing of request.things) (out[this.given[thing]!] ??= []).push(thing);
        return out;
      }
      default:
        return request.default;
    }
  }

  /** Ask the rules about the draft, a moment after the last change. */
  look(): void {
    this.refusal = null;
    this.checking = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), 70);
  }

  async #look(): Promise<void> {
    const asked = ++this.#asked;
    const { request } = this;
    if (request.ask === "pick_route" && !this.path.length && this.facing === null) {
      this.reach = null;
      this.checking = false;
      return;
    }
    try {
      if (request.ask === "pick_route") {
        const reach = await this.#planner.reach(this.answer as Route);
        if (asked !== this.#asked) return;
        this.reach = reach;
        this.refusal = reach?.refusal ?? (reach ? null : ((await this.#planner.check(this.answer))?.refusal ?? null));
      } else if (request.ask === "pick_places") {
        const [checked, under] = await Promise.all([this.#planner.check(this.answer), this.#planner.under(this.answer as Record<string, Placing>)]);
        if (asked !== this.#asked) return;
        this.refusal = this.ready ? (checked?.refusal ?? null) : null;
        this.under = under ?? [];
      }
    } finally {
      if (asked === this.#asked) this.checking = false;
    }
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#point = null;
    this.#asked++;
    this.#peeks++;
  }
}

const rounded = (point: Point): Point => [Math.round(point[0] / 10) * 10, Math.round(point[1] / 10) * 10];
