/** What happened with credentials or sessions. It never contains secrets. */
export interface AuditEvent {
  readonly event: "sign-in" | "sign-out" | "token-first-use" | "token-refused" | "denied" | "access-file-changed";
  readonly how?: "password" | "oidc" | "proxy";
  /** `sso:alice` */
  readonly subject?: string;
  readonly role?: string | undefined;
  readonly result?: "ok" | "denied" | "limited" | "failed";
  readonly why?: string;
  /** IP address of the client. */
  readonly remote?: string;
  /** Of the request. */
  readonly id?: string;
  /** Of the access file: what was added, changed or removed. */
  readonly changes?: readonly string[];
}

/** Milliseconds for which repetitions of a refusal are counted instead of written. */
const REPEATED_MS = 60_000;

/** Refusals of the same kind that are told apart; more are written as one. */
const MOST = 1000;

/**
 * Writes events as lines of JSON. A refusal that is repeated becomes one line a minute with a count, so that nobody fills
 * a disk with wrong tokens.
 * @param write what writes a line
 */
export class Audit {
  readonly #write: (line: string) => void;
  readonly #repeated = new Map<string, { readonly event: AuditEvent; count: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  readonly log = (event: AuditEvent): void => {
    const isRefusal = event.event === "token-refused" || event.event === "denied" || (event.result ?? "ok") !== "ok";
    if (!isRefusal) return this.#line(event);
    const { event: kind, remote = "", result = "", how = "", why = "" } = event;
    const own = [kind, result, how, why, remote].join(" ");
    const key = this.#repeated.has(own) || this.#repeated.size < MOST ? own : [kind, result, how].join(" ");
    const known = this.#repeated.get(key);
    if (known !== undefined) return void known.count++;
    this.#repeated.set(key, { event, count: 0 });
    this.#timer ??= setTimeout(() => this.#summarize(), REPEATED_MS).unref();
    this.#line(event);
  };

  /** Writes what was counted. */
  close(): void {
    clearTimeout(this.#timer);
    this.#summarize();
  }

  #summarize(): void {
    this.#timer = undefined;
    for (const { event, count } of this.#repeated.values()) {
      const { id: _, ...rest } = event;
      if (count > 0) this.#line({ ...rest, count });
    }
    this.#repeated.clear();
  }

  #line(event: AuditEvent & { readonly count?: number }): void {
    this.#write(JSON.stringify({ time: new Date().toISOString(), ...event }));
  }
}
