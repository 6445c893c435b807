import { api } from "./api";
import { after, withOlder, type Standing } from "./state";
import type { Refused, ServerMessage } from "./types";

export type Line = "joining" | "live" | "lost" | "closed";

/** One seat at a table, over its WebSocket. It comes back by itself, to exactly the present state. */
export class Seat {
  readonly token: string;
  standing = $state.raw<Standing | null>(null);
  line = $state<Line>("joining");
  refused = $state.raw<Refused | null>(null);
  sending = $state(false);
  /** The other side would not let us take back. */
  denied = $state(false);

  #socket: WebSocket | null = null;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #gone = false;
  #unsent: { number: number; answer: unknown } | null = null;

  constructor(token: string) {
    this.token = token;
    window.addEventListener("offline", this.#offline);
    window.addEventListener("online", this.#online);
    this.#open();
  }

  /* A browser knows before its sockets do when the network is gone, and when it is back. */
  #offline = (): void => this.cut();
  #online = (): void => {
    if (this.#socket || this.#gone || this.line === "closed") return;
    clearTimeout(this.#timer);
    this.#open();
  };

  #open(): void {
    if (this.#gone) return;
    const address = new URL("api/table", document.baseURI);
    address.protocol = address.protocol.replace("http", "ws");
    address.hash = "";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      const { era = "", log = [], begin = 0 } = this.standing ?? {};
      socket.send(JSON.stringify({ type: "join", token: this.token, era, seen: era ? begin + log.length : 0 }));
    };
    socket.onmessage = (event: MessageEvent<string>) => this.#take(JSON.parse(event.data) as ServerMessage);
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (this.#gone || this.line === "closed") return;
      this.line = "lost";
      this.#timer = setTimeout(() => this.#open(), Math.min(8000, 250 * 2 ** this.#tries++));
    };
  }

  #take(message: ServerMessage): void {
    if (message.type === "refused") {
      this.sending = false;
      this.#unsent = null;
      if (message.code === "no_seat") this.line = "closed";
      this.refused = message;
      return;
    }
    const before = this.standing;
    this.standing = after(before, message);
    if (message.type === "hello") {
      this.line = "live";
      this.#tries = 0;
      /* An answer that was on its way when the line broke: sent again if it did not arrive. */
      const unsent = this.#unsent;
      if (unsent && this.standing?.decision?.number === unsent.number) this.answer(unsent.number, unsent.answer);
      else this.sending = false;
      if (this.standing?.begin) void this.#older(this.standing.begin);
    }
    if (message.type === "changes") {
      const given = this.standing?.given ?? 0;
      if (this.#unsent && given > this.#unsent.number) this.#unsent = null;
      if (!this.#unsent) this.sending = false;
      this.refused = null;
      const wished = !!before?.takeBack && before.takeBack.by === before.view && !this.standing?.takeBack;
      this.denied = wished ? given === before.given : this.denied && given === before?.given && !this.standing?.takeBack;
    }
  }

  /** The part of the log that the server did not send with its greeting. */
  async #older(before: number): Promise<void> {
    const at = Math.max(0, before - 1000);
    const part = await api.log(this.token, at, before - at).catch(() => null);
    if (!part || !this.standing || this.standing.begin !== before) return;
    this.standing = withOlder(this.standing, at, part.log);
    if (at) await this.#older(at);
  }

  #send(message: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  answer(number: number, answer: unknown): void {
    this.refused = null;
    this.sending = true;
    this.#unsent = { number, answer };
    this.#send({ type: "answer", number, answer });
  }

  undo(): void {
    const given = this.standing?.given ?? 0;
    if (given) this.#send({ type: "undo", number: given - 1 });
  }

  consent(yes: boolean): void {
    this.#send({ type: "consent", yes });
  }

  /** Break the line; it comes back by itself. */
  cut(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    if (this.line === "closed") return;
    this.line = "lost";
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), 1500);
  }

  close(): void {
    this.#gone = true;
    window.removeEventListener("offline", this.#offline);
    window.removeEventListener("online", this.#online);
    clearTimeout(this.#timer);
    this.#socket?.close();
  }
}
