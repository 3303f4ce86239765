/** One request of the campaign, or the raw bytes that are sent instead. */
export type Attack = HttpAttack | RawAttack;

interface AttackBase {
  /** The kind of attack: a name of {@link kinds}. */
  readonly kind: string;
  /** What is attacked, as findings are grouped: a path without values, the name of a command. */
  readonly route: string;
}

/** A request that any HTTP client could send. */
export interface HttpAttack extends AttackBase {
  readonly transport: "http";
  readonly method: string;
  /** Escaped already. */
  readonly path: string;
  /** Not escaped yet. */
  readonly parameters: readonly Parameter[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** Sent to the TLS listener, with a certificate, where there is one. */
  readonly isOverTls?: boolean;
}

export type Parameter = readonly [name: string, value: string];

/** Bytes that no client would send. */
export interface RawAttack extends AttackBase {
  readonly transport: "raw" | "tls";
  readonly pieces: readonly Buffer[];
  /** Milliseconds between the pieces. */
  readonly pause: number;
  /** What the client does after the last piece. */
  readonly ending: "wait" | "half-close" | "cut";
  /** Of a TLS client: whether it has a certificate of the site; bytes are sent instead of a handshake with `none`. */
  readonly handshake?: "certificate" | "anonymous" | "none";
}

/** The outcome of an attack. */
export interface Outcome {
  readonly ms: number;
  /** HTTP status; of a raw attack the first one, 0 when there was none. */
  readonly status: number;
  readonly type: string;
  /** The beginning of the body, of a raw attack of everything received. */
  readonly text: string;
  /** Whether `text` is everything. */
  readonly isWhole: boolean;
  /** Set when there was no answer: the error's code, or `timeout`. */
  readonly failure?: string;
}

/** The target of a request: its path and its parameters, escaped. */
export function targetOf({ path, parameters }: Pick<HttpAttack, "path" | "parameters">): string {
  if (parameters.length === 0) return path;
  return `${path}?${parameters.map((pair) => pair.map(escaped).join("=")).join("&")}`;
}

/** As `encodeURIComponent`, also for text with lone surrogates. */
export function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
