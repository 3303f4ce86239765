import type { Pool, PoolListener } from "./pool.ts";
import type { Reader } from "./reader.ts";

/** Maximum idle connections; further ones are closed. */
const IDLE_CONNECTIONS = 8;

/** What a connection that is acquired is for. */
export interface Purpose {
  /** Whether to open one in any case, because it cannot be used for anything else afterwards. */
  readonly isOwn?: boolean;
  /** The key of its overlay; absent: it has none. */
  readonly overlay?: string | undefined;
}

/** The use of a connection: since when, the opening of the file that it belongs to, and its overlay. */
interface Use {
  readonly since: number;
  readonly opening: number;
  readonly overlay: string | undefined;
}

/** An idle connection with an overlay. */
interface Overlaid {
  readonly overlay: string;
  readonly reader: Reader;
}

/** Connections for reading: those in use, and a few idle ones. */
export class ReaderPool {
  /** Called when connections are opened and used. */
  listener: PoolListener | undefined;
  readonly #idle: Reader[] = [];
  readonly #overlaid: Overlaid[] = [];
  readonly #busy = new Map<Reader, Use>();
  /** Connections that are being opened. */
  #arriving = 0;
  /** Resolves when connections are lent again; undefined: they are. */
  #paused: Promise<void> | undefined;
  /** The number of times that the file was opened; connections of an earlier opening cannot be reused. */
  #opening = 0;

  /**
   * @param open opens a connection where none is idle
   */
  async acquire(open: () => Promise<Reader>, { isOwn = false, overlay }: Purpose = {}): Promise<Reader> {
    const arrived = performance.now();
    while (this.#paused !== undefined) await this.#paused;
    const idle = isOwn ? undefined : overlay === undefined ? this.#idle.pop() : this.#takeOverlaid(overlay);
    const opening = this.#opening;
    const reader = idle ?? (await this.#open(open));
    const since = performance.now();
    if (idle === undefined) this.listener?.created("read", since - arrived);
    this.listener?.waited("read", since - arrived);
    this.#busy.set(reader, { since, opening, overlay });
    return reader;
  }

  async #open(open: () => Promise<Reader>): Promise<Reader> {
    this.#arriving++;
    try {
      return await open();
    } finally {
      this.#arriving--;
    }
  }

  /** Lends no connections until the returned function is called. */
  pause(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#paused = promise;
    return () => {
      this.#paused = undefined;
      resolve();
    };
  }

  #takeOverlaid(overlay: string): Reader | undefined {
    // The last one used has the tables that were computed last.
    const at = this.#overlaid.findLastIndex((each) => each.overlay === overlay);
    return at < 0 ? undefined : this.#overlaid.splice(at, 1)[0]?.reader;
  }

  /** @param isReusable false after an interrupted query, whose interrupt may still be pending */
  release(reader: Reader, isReusable: boolean): void {
    const use = this.#busy.get(reader);
    this.listener?.used("read", performance.now() - (use?.since ?? performance.now()));
    this.#busy.delete(reader);
    const isCurrent = use?.opening === this.#opening;
    if (isReusable && isCurrent && use?.overlay !== undefined) this.#keepOverlaid({ overlay: use.overlay, reader });
    else if (isReusable && isCurrent && this.#idle.length < IDLE_CONNECTIONS) this.#idle.push(reader);
    else reader.close();
  }

  #keepOverlaid(overlaid: Overlaid): void {
    this.#overlaid.push(overlaid);
    // They need memory of their own. The one that was used first is closed.
    if (this.#overlaid.length > 4) this.#overlaid.shift()?.reader.close();
  }

  /** Closes idle connections; those in use are closed when they are released. */
  end(): void {
    this.#opening++;
    for (const reader of this.#idle.splice(0)) reader.close();
    for (const { reader } of this.#overlaid.splice(0)) reader.close();
  }

  interrupt(): void {
    for (const reader of this.#busy.keys()) reader.interrupt();
  }

  /** The number of connections in use, or being opened. */
  get busy(): number {
    return this.#busy.size + this.#arriving;
  }

  get pool(): Pool {
    const [active, idle] = [this.#busy.size, this.#idle.length + this.#overlaid.length];
    return { active, idle, pending: 0, total: active + idle, max: IDLE_CONNECTIONS, min: 0 };
  }
}
