import type { Comparison, ContentAt } from "../entry.ts";
import type { Address } from "./address.ts";
import { Connection } from "./connection.ts";
import { LOG, PATIENCE } from "./tables.ts";

/** What is known of a server that follows a log. */
export interface ServerRow {
  /** The name of its machine and its data directory. */
  readonly name: string;
  readonly version: string;
  readonly position: number;
  readonly problem: string | null;
  /** Seconds since it said so. */
  readonly silence: number;
}

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

/** Milliseconds between what a server says of itself. */
const INTERVAL = 5000;

/** Milliseconds for a statement. */
const BRIEF = 5000;

/** Says how far a server is, and compares what it has stored with what others have. */
export class Servers {
  /** What was found the last time; undefined: nothing was compared. */
  comparison: Comparison | undefined;
  readonly #address: Address;
  readonly #own: { readonly name: string; readonly version: string };
  readonly #presence: () => Presence;
  readonly #events: ServersEvents;
  #connection: Connection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #saying: Promise<void> | undefined;
  /** What the database does not have yet. */
  #unsaid: ContentAt | undefined;
  /** What is compared, until all servers have said what they have. */
  #compared: ContentAt | undefined;
  #isClosed = false;

  constructor(
    address: Address,
    own: { readonly name: string; readonly version: string },
    presence: () => Presence,
    events: ServersEvents,
  ) {
    this.#address = address;
    this.#own = own;
    this.#presence = presence;
    this.#events = events;
  }

  /** Begins to say how far this server is; another call begins again. */
  start(): void {
    clearTimeout(this.#timer);
    const say = async (): Promise<void> => {
      // The log itself reports that it is out of reach.
      await this.#say().catch(() => this.#connection?.destroy());
      if (!this.#isClosed) this.#timer = setTimeout(begin, INTERVAL).unref();
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
    if (this.#connection?.hasEnded === false) await this.#say().catch(() => undefined);
    await this.#connection?.close();
  }

  async #say(): Promise<void> {
    if (this.#connection === undefined || this.#connection.hasEnded) {
      this.#connection = await Connection.open(this.#address);
    }
    const connection = this.#connection;
    const { position, problem = null } = this.#presence();
    const { name, version } = this.#own;
    const [found] = await connection.rows<{ head: string | null }>(
      `INSERT INTO ${LOG}_servers VALUES ($1, $2, $3, $4, now()) ON CONFLICT (name) DO UPDATE
        SET version = excluded.version, position = excluded.position, problem = excluded.problem, seen = excluded.seen
        RETURNING (SELECT max(seq) FROM ${LOG}) AS head`,
      [name, version, position, problem],
      BRIEF,
    );
    this.#events.onAnswer(Number(found?.head ?? 0));
    if (this.#unsaid !== undefined) {
      const said = this.#unsaid;
      await connection.rows(
        `INSERT INTO ${LOG}_fingerprints VALUES ($1, $2, $3, $4) ON CONFLICT (position, server) DO UPDATE
          SET schema = excluded.schema, tables = excluded.tables, noted = now()`,
        [said.position, name, said.schema, JSON.stringify(said.tables)],
        BRIEF,
      );
      if (this.#unsaid === said) this.#unsaid = undefined;
    }
    if (this.#compared !== undefined) await this.#look(connection, this.#compared);
  }

  /** Others may say later what they have: this looks until the next comparison. */
  async #look(connection: Connection, { position, schema, tables }: ContentAt): Promise<void> {
    const others = (await fingerprintsAt(connection, position)).filter(
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

/** What a server had stored at a position. */
export interface FingerprintRow {
  readonly server: string;
  readonly schema: number;
  readonly tables: Readonly<Record<string, string>>;
}

/** What servers have said that they had at a position, by their names. */
export async function fingerprintsAt(connection: Connection, position: number): Promise<FingerprintRow[]> {
  return connection.rows<FingerprintRow>(
    `SELECT server, schema, tables FROM ${LOG}_fingerprints WHERE position = $1 ORDER BY server`,
    [position],
    PATIENCE,
  );
}

/** The tables of which two servers have something else. */
export function differencesOf(
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((table) => one[table] !== other[table]);
}

/** All servers that have followed the log within its retention, by their names. */
export async function listServers(connection: Connection): Promise<ServerRow[]> {
  const rows = await connection.rows<ServerRow & { readonly position: string; readonly silence: string }>(
    `SELECT name, version, position, problem, extract(epoch FROM now() - seen) AS silence FROM ${LOG}_servers ORDER BY name`,
    [],
    PATIENCE,
  );
  return rows.map((row) => ({ ...row, position: Number(row.position), silence: Number(row.silence) }));
}
