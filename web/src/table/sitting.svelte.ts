import { untrack } from "svelte";
import { Draft, type Planner } from "../deciding/draft.svelte";
import { settings } from "../settings.svelte";
import { api } from "../wire/api";
import type { Kept } from "../wire/keyring";
import { Seat } from "../wire/seat.svelte";
import type { Looked, Point, Ring } from "../wire/types";
import { Catalogue } from "../words/catalogue";

export type Tool = "" | "ruler" | "sight";
export type End = { piece: string; point: Point };

/** Everything about one evening at a table: the seats played in this browser, what is selected, and the answer in the making. */
export class Sitting {
  readonly kept: Kept;
  readonly seats: Record<string, Seat> = {};
  readonly hotSeat: boolean;

  /** Whose view is on the screen, where several seats are played at it. */
  side = $state("");
  /** On one screen: the side to which the screen has to be passed before its secrets may be shown. */
  passTo = $state("");
  texts = $state.raw<Record<string, string>>({});
  selected = $state("");
  lit = $state.raw<readonly string[]>([]);
  /** The templates of an entry of the log that is being looked at. */
  laid = $state.raw<readonly Point[][]>([]);
  hovered = $state("");
  tool = $state<Tool>("");
  ends = $state.raw<End[]>([]);
  looked = $state.raw<Looked | null>(null);
  /** Whether the game's rules were asked about a line of sight and had nothing to say. */
  unsaid = $state(false);
  draft = $state.raw<Draft | null>(null);
  /** The option that is being looked at in the list. */
  option = $state("");
  /** How far the selected piece shoots and commands; for a piece on its way also how far its leader commands. */
  rings = $state.raw<readonly Ring[]>([]);
  panel = $state<"log" | "forces" | "card">("log");

  #end: End | null = null;
  #glancing = false;

  seat = $derived.by(() => this.seats[this.side] ?? Object.values(this.seats)[0]!);
  standing = $derived.by(() => this.seat.standing);
  words = $derived.by(() => {
    const plain = new Catalogue(this.texts, {}, settings.language);
    return plain.naming(plain.local(this.standing?.names ?? {}));
  });
  /** The side that this browser has to decide for now. */
  toDecide = $derived.by(() => {
    for (const [side, seat] of Object.entries(this.seats)) if (seat.standing?.decision) return side;
    return "";
  });

  constructor(kept: Kept) {
    this.kept = kept;
    for (const [side, token] of Object.entries(kept.tokens)) this.seats[side] = new Seat(token);
    const sides = Object.keys(this.seats).filter((side) => side !== "public");
    if (sides.length && this.seats["public"]) {
      this.seats["public"].close();
      delete this.seats["public"];
    }
    this.hotSeat = sides.length > 1;
    this.side = sides[0] ?? "public";

    $effect(() => {
      const language = settings.language;
      void api.texts(kept.game, language).then((found) => {
        if (language === settings.language) this.texts = found;
      });
    });

    /* The decision on the screen: a fresh draft for each question. */
    $effect(() => {
      const side = this.toDecide;
      if (this.hotSeat && side && side !== untrack(() => this.side)) {
        this.side = side;
        if (untrack(() => this.standing?.scene) && this.#hasSecrets()) this.passTo = side;
      }
    });
    $effect(() => {
      const { seat } = this;
      const decision = seat.standing?.decision ?? null;
      const before = untrack(() => this.draft);
      if (decision && before && before.number === decision.number && before.request === decision.request) return;
      before?.dispose();
      untrack(() => {
        this.draft = decision && seat.standing ? new Draft(decision.number, decision.request, seat.standing.scene, this.#planner(seat, decision.number)) : null;
        this.lit = [];
        this.option = "";
        if (decision?.request.unit) this.selected = decision.request.unit;
      });
    });
    $effect(() => {
      if (this.draft && this.standing) this.draft.scene = this.standing.scene;
    });
    $effect(() => {
      const { scene } = this.standing ?? {};
      const route = this.draft?.request.ask === "pick_route" ? (this.draft.request.unit ?? "") : "";
      const wanted = route || this.selected;
      /* A group is shown by its leader; an enemy whom a question is about, by nothing. */
      const named = scene?.figures.find((figure) => figure.id === wanted) ?? scene?.figures.find((figure) => figure.group === wanted && figure.leader);
      const piece = named && named.side !== this.standing?.view && wanted === this.draft?.request.unit ? undefined : named;
      const leader = route && piece ? scene?.figures.find((figure) => figure.group === piece.group && figure.leader && figure.id !== piece.id) : undefined;
      if (!piece || settings.rings === "off") {
        this.rings = [];
        return;
      }
      const planner = untrack(() => this.planner);
      const timer = setTimeout(async () => {
        const [own, led] = await Promise.all([planner.rings(piece.id), leader ? planner.rings(leader.id) : null]);
        /* Whoever moves has to stay near his leader: then it is the leader's distance that counts. */
        const ours = (own ?? []).filter((ring) => !leader || ring.kind !== "command");
        if (!stale) this.rings = [...ours, ...(led ?? []).filter((ring) => ring.kind === "command")];
      }, 50);
      let stale = false;
      return () => {
        stale = true;
        clearTimeout(timer);
      };
    });
  }

  #hasSecrets(): boolean {
    return Object.values(this.seats).some((seat) => seat.standing?.log.some((entry) => entry.secret));
  }

  #planner(seat: Seat, number: number): Planner {
    const quiet = async <T>(asked: Promise<T>): Promise<T | null> => asked.catch(() => null);
    return {
      check: (answer) => quiet(api.check(seat.token, number, answer)),
      reach: (route) => quiet(api.reach(seat.token, number, route)),
      advice: () => quiet(api.advice(seat.token).then((found) => (found.number === number ? found.options : {}))),
      card: (option) => quiet(api.card(seat.token, option)),
      mayDo: (piece) => quiet(api.mayDo(seat.token, piece)),
      under: (places) => quiet(api.under(seat.token, number, places)),
      laid: (option) => quiet(api.laid(seat.token, option)),
      near: (piece) => quiet(api.near(seat.token, piece)),
      sight: (a, b) => quiet(api.sight(seat.token, a, b)),
      rings: (piece) => quiet(api.rings(seat.token, piece)),
    };
  }

  get planner(): Planner {
    return this.#planner(this.seat, this.standing?.decision?.number ?? 0);
  }

  answer(answer: unknown): void {
    const { draft, seat } = this;
    if (!draft || seat.sending) return;
    this.lit = [];
    seat.answer(draft.number, answer);
  }

  /** The tools: a ruler, and a line of sight, between two pieces or points. */
  take(tool: Tool): void {
    this.tool = this.tool === tool ? "" : tool;
    this.unsaid = false;
    this.ends = [];
    this.looked = null;
  }

  /** Between the first end and the pointer, as it moves: asked for now and then. */
  glance(end: End): void {
    this.#end = end;
    if (this.#glancing || this.ends.length !== 1) return;
    this.#glancing = true;
    const [first] = this.ends as [End];
    void this.planner
      .sight(first.piece || first.point, end.piece || end.point)
      .then((found) => {
        if (this.ends.length === 1 && this.ends[0] === first) this.looked = found;
      })
      .then(() => new Promise((done) => setTimeout(done, 90)))
      .then(() => {
        this.#glancing = false;
        const last = this.#end;
        if (last && last !== end && this.ends[0] === first) this.glance(last);
      });
  }

  mark(end: End): void {
    this.#end = null;
    this.ends = this.ends.length >= 2 ? [end] : [...this.ends, end];
    this.looked = null;
    this.unsaid = false;
    if (this.ends.length === 2) {
      const [a, b] = this.ends as [End, End];
      const asked = this.ends;
      void this.planner.sight(a.piece || a.point, b.piece || b.point).then((found) => {
        if (this.ends !== asked) return;
        this.looked = found;
        this.unsaid = this.tool === "sight" && !found?.sight;
      });
    }
  }

  close(): void {
    this.draft?.dispose();
    for (const seat of Object.values(this.seats)) seat.close();
  }
}
