import { changed } from "./scene-change";
import type { Changes, Decision, Entry, Hello, Present, Refused, Result, Scene, SeatInfo, ServerMessage } from "./types";

/** Where a match stands for one seat, as its messages have told so far. */
export interface Standing {
  match: string;
  game: string;
  title: string;
  view: "a" | "b" | "public";
  seats: SeatInfo[];
  present: string[];
  scene: Scene;
  names: Record<string, string>;
  era: string;
  seedHash: string;
  log: Entry[];
  /** The number of the first entry in `log`: the server may have sent only the latest. */
  begin: number;
  waiting: string;
  given: number;
  decision: Decision | null;
  undo: "" | "free" | "consent";
  takeBack: { by: string } | null;
  result: Result | null;
  seed: string;
}

/** The standing after a message of the server; refusals and unknown messages change nothing. */
export function after(standing: Standing | null, message: ServerMessage): Standing | null {
  switch (message.type) {
    case "hello":
      return hello(standing, message);
    case "changes":
      return standing && changes(standing, message);
    case "present":
      return standing && present(standing, message);
    default:
      return standing;
  }
}

function common(message: Hello | Changes, before: Pick<Standing, "log" | "begin">) {
  return {
    ...spliced(before, message),
    waiting: message.waiting ?? "",
    given: message.given ?? 0,
    decision: message.decision ?? null,
    undo: message.undo ?? ("" as const),
    takeBack: message.take_back ?? null,
    result: message.result ?? null,
    seed: message.seed ?? "",
  };
}

function spliced({ log, begin }: Pick<Standing, "log" | "begin">, message: Hello | Changes): Pick<Standing, "log" | "begin"> {
  const fresh = message.log ?? [];
  if (!fresh.length && message.at >= begin + log.length) return { log, begin };
  if (message.at < begin || message.at > begin + log.length) return { log: fresh, begin: message.at };
  return { log: [...log.slice(0, message.at - begin), ...fresh], begin };
}

/** The standing with older entries put before those that it has. */
export function withOlder(standing: Standing, at: number, older: Entry[]): Standing {
  if (at >= standing.begin) return standing;
  return { ...standing, log: [...older.slice(0, standing.begin - at), ...standing.log], begin: at };
}

function hello(before: Standing | null, message: Hello): Standing {
  return {
    match: message.match,
    game: message.game,
    title: message.title,
    view: message.view,
    seats: message.seats,
    present: message.present,
    scene: message.scene,
    names: message.names,
    era: message.era,
    seedHash: message.seed_hash,
    ...common(message, before ?? { log: [], begin: 0 }),
  };
}

function changes(before: Standing, message: Changes): Standing {
  return {
    ...before,
    ...common(message, before),
    scene: changed(before.scene, message.scene),
    names: message.names ?? before.names,
    era: message.era || before.era,
  };
}

function present(before: Standing, message: Present): Standing {
  return { ...before, present: message.views };
}

export const isRefused = (message: ServerMessage): message is Refused => message.type === "refused";
