/** Where the reader is, from the address: #/, #/match/ID, #/join/TOKEN, #/replay/ID, #/play/GAME/SCENARIO. */
class Place {
  path = $state<string[]>(read());

  constructor() {
    if (typeof window !== "undefined")
      window.addEventListener("hashchange", () => {
        this.path = read();
        window.scrollTo(0, 0);
      });
  }
}

function read(): string[] {
  if (typeof location === "undefined") return [];
  return location.hash.replace(/^#\/?/, "").split("/").filter(Boolean).map(decodeURIComponent);
}

export const place = new Place();

export function go(...path: string[]): void {
  location.hash = `#/${path.map(encodeURIComponent).join("/")}`;
}

export function replaceWith(...path: string[]): void {
  history.replaceState(null, "", `#/${path.map(encodeURIComponent).join("/")}`);
  place.path = path;
}
