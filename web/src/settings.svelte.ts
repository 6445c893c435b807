import { LANGUAGES, type Language } from "./words/catalogue";

export type Theme = "auto" | "light" | "dark" | "contrast";
export const THEMES: Theme[] = ["auto", "light", "dark", "contrast"];

function stored<T extends string>(name: string, allowed: readonly T[], otherwise: T): T {
  try {
    const found = localStorage.getItem(`sandtable.${name}`) as T | null;
    return found && allowed.includes(found) ? found : otherwise;
  } catch {
    return otherwise;
  }
}

function spoken(): Language {
  const wanted = typeof navigator === "undefined" ? [] : navigator.languages.map((language) => language.slice(0, 2));
  return (wanted.find((language) => (LANGUAGES as string[]).includes(language)) as Language | undefined) ?? "en";
}

/** What a reader has chosen for himself; kept in his browser. */
class Settings {
  language = $state<Language>(stored("language", LANGUAGES, spoken()));
  theme = $state<Theme>(stored("theme", THEMES, "auto"));
  pieces = $state<"nato" | "top">(stored("pieces", ["nato", "top"] as const, "nato"));
  labels = $state<"few" | "all">(stored("labels", ["few", "all"] as const, "few"));

  rings = $state<"on" | "off">(stored("rings", ["on", "off"] as const, "on"));

  keep(): void {
    try {
      for (const name of ["language", "theme", "pieces", "labels", "rings"] as const) localStorage.setItem(`sandtable.${name}`, this[name]);
    } catch {
      // a browser that keeps nothing: the choice holds until the page is closed
    }
  }
}

export const settings = new Settings();
