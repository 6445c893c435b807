import type {
  Advice, Card, Created, Home, Imported, Laid, Looked, LogPart, MatchInfo, Near, NewMatch, Option, Placing, Point, Reach, Replay, Ring, Route, RuleText, ScenarioCard, SeatWanted, Verdict,
} from "./types";

export type { Frame, GameInfo, Home, MatchInfo, ScenarioCard, ScenarioInfo } from "./types";

/** Something that the server did not do, in its own words. */
export class ApiProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly problems: string[] = [],
  ) {
    super(message);
  }
}

async function call<T>(path: string, token?: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = {};
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(`api/${path}`, { method: body === undefined ? "GET" : "POST", headers, body: body === undefined ? null : JSON.stringify(body) });
  if (!answer.ok) {
    const problem = (await answer.json().catch(() => ({}))) as { error?: string; message?: string; problems?: string[] };
    throw new ApiProblem(answer.status, problem.error ?? "", problem.message ?? answer.statusText, problem.problems ?? []);
  }
  return (await answer.json()) as T;
}

const seg = encodeURIComponent;
const texts = new Map<string, Promise<Record<string, string>>>();
const rules = new Map<string, Promise<Map<string, RuleText>>>();

export const api = {
  home: () => call<Home>("home"),
  scenario: (game: string, id: string) => call<ScenarioCard>(`games/${seg(game)}/scenarios/${seg(id)}`),
  own: (game: string, own: string) => call<ScenarioCard>(`games/${seg(game)}/own`, undefined, { own }),
  texts(game: string, language: string): Promise<Record<string, string>> {
    const key = `${game}/${language}`;
    let found = texts.get(key);
    if (!found) {
      found = call<Record<string, string>>(`games/${seg(game)}/texts/${language}`);
      found.catch(() => texts.delete(key));
      texts.set(key, found);
    }
    return found;
  },
  rules(game: string): Promise<Map<string, RuleText>> {
    let found = rules.get(game);
    if (!found) {
      found = call<RuleText[]>(`games/${seg(game)}/rules`).then((list) => new Map(list.map((rule) => [rule.id, rule])));
      found.catch(() => rules.delete(game));
      rules.set(game, found);
    }
    return found;
  },
  begin: (wanted: NewMatch) => call<Created>("matches", undefined, wanted),
  mine: (tokens: string[]) => call<MatchInfo[]>("matches/mine", undefined, { tokens }),
  take: (save: string, a: SeatWanted, b: SeatWanted) => call<Imported>("matches/import", undefined, { save, a, b }),

  advice: (token: string) => call<Advice>("match/advice", token),
  card: (token: string, option: string) => call<Card>(`match/odds?option=${seg(option)}`, token),
  check: (token: string, number: number, answer: unknown) => call<Verdict>("match/try", token, { number, answer }),
  reach: (token: string, number: number, route: Route) => call<Reach>("match/reach", token, { number, route }),
  under: (token: string, number: number, places: Record<string, Placing>) => call<string[]>("match/under", token, { number, places }),
  laid: (token: string, option: string) => call<Laid>(`match/laid?option=${seg(option)}`, token),
  near: (token: string, piece: string) => call<Near[]>(`match/near?piece=${seg(piece)}`, token),
  mayDo: (token: string, piece: string) => call<Option[]>(`match/pieces?piece=${seg(piece)}`, token),
  rings: (token: string, piece: string) => call<Ring[]>(`match/rings?piece=${seg(piece)}`, token),
  sight: (token: string, a: string | Point, b: string | Point) => call<Looked>("match/sight", token, { a, b }),
  log: (token: string, from: number, count: number) => call<LogPart>(`match/log?from=${from}&count=${count}`, token),
  replay: (token: string, view: string, from: number, count = 400) => call<Replay>(`match/replay?view=${view}&from=${from}&count=${count}`, token),
  async save(token: string, tokens: string[]): Promise<Blob> {
    const answer = await fetch("api/match/save", {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ tokens }),
    });
    if (!answer.ok) {
      const problem = (await answer.json().catch(() => ({}))) as { error?: string; message?: string };
      throw new ApiProblem(answer.status, problem.error ?? "", problem.message ?? answer.statusText);
    }
    return answer.blob();
  },
};
