import type { Comparison, ContentAt } from "../entry.ts";
import type { Cluster } from "./cluster.ts";
import { type FingerprintRow, Registry } from "./registry.ts";

/** What a server says of itself. */
export interface Presence {
  readonly position: number;
  readonly problem: string | undefined;
}

export interface ServersEvents {
  /** The log has answered. @param head the id of its last entry */
  readonly onAnswer: (head: number) => void;
  /** A server is found to have stored something else at the same position. */
  readonly onDifference: (comparison: Comparison) => void;
}

/** Says how far a server is, and compares what it has stored with what others have. */
export class Servers {
  /** What was found the last time; undefined: nothing was compared. */
  comparison: Comparison | undefined;
  readonly #cluster: Cluster;
  readonly #own: { readonly name: string; readonly version: string };
  readonly #presence: () => Presence;
  readonly #events: ServersEvents;
  #registry: Registry | undefined;
  #timer: NodeJS.Timeout | undefined;
  #saying: Promise<void> | undefined;
  /** What the database does not have yet. */
  #unsaid: ContentAt | undefined;
  /** What is compared, until all servers have said what they have. */
  #compared: ContentAt | undefined;
  #isClosed = false;

  constructor(
    cluster: Cluster,
    own: { readonly name: string; readonly version: string },
    presence: () => Presence,
    events: ServersEvents,
  ) {
    this.#cluster = cluster;
    this.#own = own;
    this.#presence = presence;
    this.#events = events;
  }

  /** Begins to say how far this server is; another call begins again. */
  start(): void {
    clearTimeout(this.#timer);
    const say = async (): Promise<void> => {
      // The log itself reports that it is out of reach.
      await this.#say().catch(() => this.#registry?.destroy());
      if (!this.#isClosed) this.#timer = setTimeout(begin, 5000).unref();
    };
    const begin = (): void => void (this.#saying = say());
    begin();
  }

  /** Notes what this server had at a position. */
  compare(found: ContentAt): void {
    this.#unsaid = this.#compared = found;
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    const before = this.#saying;
    this.#saying = (async () => {
      await before;
      clearTimeout(this.#timer);
      if (!this.#isClosed) this.start();
    })();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#saying;
    // How far it was when it ended, where the log can be reached.
    if (this.#registry?.hasEnded === false) await this.#say().catch(() => undefined);
    await this.#registry?.close();
  }

  async #say(): Promise<void> {
    if (this.#registry === undefined || this.#registry.hasEnded) {
      this.#registry = await Registry.open(this.#cluster);
      // A log that was taken over by another server may have lost it.
      this.#unsaid ??= this.#compared;
    }
    const registry = this.#registry;
    const { position, problem = null } = this.#presence();
    this.#events.onAnswer(await registry.say({ ...this.#own, position, problem }));
    if (this.#unsaid !== undefined) {
      const said = this.#unsaid;
      await registry.note(this.#own.name, said);
      if (this.#unsaid === said) this.#unsaid = undefined;
    }
    if (this.#compared !== undefined) await this.#look(registry, this.#compared);
  }

  /** Others may say later what they have: this looks until the next comparison. */
  async #look(registry: Registry, { position, schema, tables }: ContentAt): Promise<void> {
    const others = (await registry.fingerprintsAt(position)).filter(
      (other) => other.server !== this.#own.name && other.schema === schema,
    );
    const isEqual = (other: FingerprintRow): boolean => differencesOf(tables, other.tables).length === 0;
    const known = this.comparison?.position === position ? this.comparison.different.length : 0;
    this.comparison = {
      position,
      equal: others.filter(isEqual).map(({ server }) => server),
      different: others.filter((other) => !isEqual(other)).map(({ server }) => server),
    };
    if (this.comparison.different.length > known) this.#events.onDifference(this.comparison);
  }
}

/** The tables of which two servers have something else. */
export function differencesOf(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((table) => one[table] !== other[table]);
}
