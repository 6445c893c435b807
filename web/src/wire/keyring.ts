/** The seats that somebody holds, kept in his browser: match -> the tokens of its seats. Nobody without a token can act or look. */
export interface Kept {
  match: string;
  game: string;
  title: string;
  /** Side (or `public`) -> token, for the seats played in this browser. */
  tokens: Record<string, string>;
  /** The tokens to be given to others: invitation links. */
  invitations?: Record<string, string>;
  guide?: boolean;
  at: number;
}

const NAME = "sandtable.seats";

export function keys(): Kept[] {
  try {
    const found = JSON.parse(localStorage.getItem(NAME) ?? "[]") as Kept[];
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function write(all: Kept[]): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(all.slice(0, 60)));
  } catch {
    // nothing can be kept here: the match is open as long as the page is
  }
}

export const key = (match: string): Kept | undefined => keys().find((kept) => kept.match === match) ?? fleeting.get(match);

const fleeting = new Map<string, Kept>();

export function keep(kept: Kept): void {
  const before = key(kept.match);
  const whole = before ? { ...before, ...kept, tokens: { ...before.tokens, ...kept.tokens } } : kept;
  fleeting.set(kept.match, whole);
  write([whole, ...keys().filter((other) => other.match !== kept.match)]);
}

export function drop(match: string): void {
  fleeting.delete(match);
  write(keys().filter((other) => other.match !== match));
}
