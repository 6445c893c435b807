import type { Message } from "../wire/types";

export type Language = "en" | "pl" | "it";
export const LANGUAGES: Language[] = ["en", "pl", "it"];

const YES_NO: Record<Language, [string, string]> = { en: ["yes", "no"], pl: ["tak", "nie"], it: ["sì", "no"] };

type Texts = Record<string, string>;

/** The texts of one language, and what a battle calls its pieces, groups and sides: message ids become sentences here. */
export class Catalogue {
  constructor(
    readonly texts: Texts,
    readonly names: Record<string, string> = {},
    readonly language: Language = "en",
  ) {}

  /** Names as "Rifle platoon 2 (Rifle team)" in the reader's language: each part that has a text is translated. */
  local(names: Record<string, string>): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [id, name] of Object.entries(names))
      found[id] = this.texts[name] ?? name.split(/( \d+(?= \(|$)| \(|\)$)/).map((part) => this.texts[part] ?? part).join("");
    return found;
  }

  naming(names: Record<string, string>): Catalogue {
    return new Catalogue(this.texts, names, this.language);
  }

  text(message: Message | null | undefined): string {
    if (!message) return "";
    const given = message.arguments ?? {};
    const pattern = this.texts[message.id];
    if (pattern === undefined) {
      const names = Object.entries(given).map(([name, value]) => `${name} ${this.word(value)}`);
      return names.length ? `${message.id} (${names.join(", ")})` : message.id;
    }
    return pattern
      .replace(/\{(\w+)(?::[^}]*)?\}|\{\{|\}\}/g, (found, name?: string) =>
        name === undefined ? found[0]! : name in given ? this.word(given[name]) : found,
      );
  }

  /** An argument in words: messages and known words are translated, lists joined, fractions shortened. */
  word(value: unknown): string {
    if (value === null || value === undefined) return "-";
    if (typeof value === "boolean") return this.texts[value ? "word.yes" : "word.no"] ?? YES_NO[this.language][value ? 0 : 1];
    if (typeof value === "number") return this.number(value);
    if (typeof value === "string") return this.names[value] ?? this.texts[`word.${value}`] ?? this.texts[value] ?? value;
    if (Array.isArray(value)) return value.map((item) => this.word(item)).join(", ");
    if (typeof value === "object" && "id" in value && Object.keys(value).every((key) => key === "id" || key === "arguments"))
      return this.text(value as Message);
    return JSON.stringify(value);
  }

  number(value: number): string {
    const text = Number.isInteger(value) ? String(value) : String(Math.round(value * 10) / 10);
    return this.language === "en" ? text : text.replace(".", ",");
  }

  knows(id: string): boolean {
    return id in this.texts;
  }
}
