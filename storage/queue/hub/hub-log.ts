import { CensusError } from "../../errors.ts";
import type { Maintenance } from "../../lifecycle/maintenance.ts";
import { defaultRetention } from "../../lifecycle/retention.ts";
import type {
  Follower,
  FollowingStore,
  LoggedMaintenance,
  QueueEntry,
  Retained,
  SharedLog,
  SharedLogState,
} from "../entry.ts";
import type { ObservedLog, Observing } from "../shared/joint-log.ts";
import { MergedEntries } from "./merged-entries.ts";
import { decodePositions, type PlacedPosition } from "./positions.ts";

/** One of the logs that a hub follows. */
export interface FollowedSource {
  /** The address of the log, without secrets. */
  readonly place: string;
  /** Opens it for a server that only follows it. */
  readonly open: (observing: Observing) => Promise<ObservedLog>;
}

interface Source {
  readonly place: string;
  readonly log: SharedLog;
}

/**
 * Several logs, which one store follows. Their entries are stored in the order in which they arrive here, so they are numbered here,
 * and the mark of each says how far each log is stored with it.
 */
export class HubLog implements SharedLog {
  readonly identity: string;
  readonly #sources: readonly Source[];
  readonly #entries: MergedEntries;
  #stored: number;
  #follower: Follower | undefined;
  /** Changes when another following replaces the present one. */
  #following = 0;
  /** The delivery of the entries that have arrived: one after the other. */
  #delivering: Promise<void> = Promise.resolve();

  private constructor(identity: string, sources: readonly Source[], entries: MergedEntries) {
    this.identity = identity;
    this.#sources = sources;
    this.#entries = entries;
    this.#stored = entries.last;
  }

  /**
   * Opens all logs for a store. It goes on where it has stored them; a log that it has not followed begins with the first entry that
   * is kept.
   * @throws CensusError "bad-file" if it may not follow one of them; "unavailable" if one is out of reach that it is not known
   * to follow
   */
  static async open(store: FollowingStore, followed: readonly FollowedSource[]): Promise<HubLog> {
    const { position } = store;
    const identity = `hub-${store.identity}`;
    const isHub = position?.log === identity;
    const placed = isHub ? decodePositions(position.mark ?? "") : [];
    const known = position === undefined || isHub ? placed : [position];
    const sources: Source[] = [];
    const positions: PlacedPosition[] = [];
    try {
      for (const { place, open } of followed) {
        const log = await open({ known, last: placed.find((one) => one.place === place) });
        sources.push({ place, log });
        if (positions.some((other) => other.log === log.identity)) {
          throw new CensusError("bad-file", `command-log: ${place} is named twice`);
        }
        positions.push({ ...log.beginning, place });
      }
    } catch (error) {
      for (const { log } of sources) await log.close();
      throw error;
    }
    return new HubLog(identity, sources, new MergedEntries(isHub ? position.id : 0, positions));
  }

  get state(): SharedLogState {
    const states = this.#sources.map(({ place, log }) => ({ place, ...log.state }));
    const troubled = states.find(({ isLasting }) => isLasting) ?? states.find(({ problem }) => problem !== undefined);
    const waiting = states.filter(({ oldest }) => oldest !== undefined);
    const [first] = waiting.toSorted((a, b) => b.waiting - a.waiting);
    const silences = states.map(({ silence }) => silence);
    const unread = states.map(({ head }, place) => Math.max(0, head - (this.#entries.positions[place]?.id ?? 0)));
    return {
      head: this.#entries.last + unread.reduce((sum, count) => sum + count, 0),
      problem: troubled?.problem === undefined ? undefined : `${troubled.place}: ${troubled.problem}`,
      isLasting: states.some(({ isLasting }) => isLasting),
      oldest: first?.oldest,
      waiting: first?.waiting ?? 0,
      silence: silences.includes(undefined) ? undefined : Math.max(...silences.map((silence) => silence ?? 0)),
      comparison: undefined,
    };
  }

  follow(after: number, follower: Follower): void {
    const following = ++this.#following;
    this.#follower = follower;
    this.#entries.rewind(after);
    this.#stored = after;
    const { positions } = this.#entries;
    for (const [source, { log }] of this.#sources.entries()) {
      log.follow(positions[source]?.id ?? 0, {
        commands: async (entries) => void (await this.#deliver(following, () => this.#commands(source, entries))),
        maintenance: async (entry) => void (await this.#deliver(following, () => this.#maintenance(source, entry))),
      });
    }
  }

  markOf(id: number): string | undefined {
    return this.#entries.markOf(id);
  }

  async read(entry: QueueEntry): Promise<Uint8Array> {
    const { source = -1, sourceId = 0 } = this.#entries.get(entry.id) ?? {};
    const log = this.#sources[source]?.log;
    if (log === undefined) throw new CensusError("unavailable", `entry ${entry.id} of the command log is read again`);
    return log.read({ ...entry, id: sourceId });
  }

  async release(through: number): Promise<void> {
    const last = new Map<number, number>();
    for (let id = this.#stored + 1; id <= through; id++) {
      const { source, sourceId = 0 } = this.#entries.get(id) ?? {};
      if (source !== undefined) last.set(source, sourceId);
    }
    this.#stored = Math.max(this.#stored, through);
    for (const [source, sourceId] of last) await this.#sources[source]?.log.release(sourceId);
    this.#entries.limit(this.#stored);
  }

  async checkpointed(through: number): Promise<void> {
    this.#entries.forget(Math.min(through, this.#stored));
  }

  async close(): Promise<void> {
    this.#following++;
    for (const { log } of this.#sources) await log.close();
    await this.#delivering;
  }

  /** Maintenance of this store alone: each log's own servers do their own. */
  async appendMaintenance({ mark, asOf, change }: Omit<LoggedMaintenance, "id">): Promise<boolean> {
    if (change.kind === "delete node") throw this.#refusal("deletes no nodes");
    // There is nobody to compare with.
    if (change.kind === "compare" || this.#follower === undefined) return false;
    const follower = this.#follower;
    return this.#deliver(this.#following, () =>
      follower.maintenance({ id: this.#entries.addOwn(), mark, asOf, change }),
    );
  }

  async append(): Promise<never> {
    throw this.#refusal("accepts no commands");
  }

  async appendAll(): Promise<never> {
    throw this.#refusal("accepts no commands");
  }

  keepsPayload(): boolean {
    return true;
  }

  /** Nothing is postponed, since what comes after it would then be stored before it. */
  async postpone(): Promise<void> {
    throw new Error("a command of a log that others follow cannot be postponed");
  }

  async settle(): Promise<void> {
    // Nothing is postponed.
  }

  async drop(): Promise<void> {
    // It is discarded again if it is read again.
  }

  async retained(after: number): Promise<Retained> {
    return { entries: [], through: after };
  }

  removableBytes(): number {
    return 0;
  }

  async freeReserved(): Promise<void> {
    // Nothing is reserved.
  }

  compare(): void {
    // There is nobody to compare with.
  }

  /**
   * Delivers entries after those that have arrived before; resolves when the next of their log may come.
   * @returns false if another following has replaced theirs
   */
  async #deliver(following: number, deliver: () => Promise<void>): Promise<boolean> {
    const before = this.#delivering;
    const done = Promise.withResolvers<void>();
    this.#delivering = done.promise;
    try {
      await before;
      if (following !== this.#following) return false;
      await deliver();
      return true;
    } finally {
      done.resolve();
    }
  }

  async #commands(source: number, entries: readonly QueueEntry[]): Promise<void> {
    await this.#follower?.commands(entries.map((entry) => ({ ...entry, id: this.#entries.add(source, entry) })));
  }

  async #maintenance(source: number, entry: LoggedMaintenance): Promise<void> {
    const id = this.#entries.add(source, entry);
    await this.#follower?.maintenance({ ...entry, id, change: ownPart(entry.change) });
  }

  #refusal(what: string): CensusError {
    const places = this.#sources.map(({ place }) => place).join(", ");
    return new CensusError(
      "unavailable",
      `this server follows the command logs of several regions and ${what} itself; use a server of the region: ${places}`,
    );
  }
}

/** What a hub does of a region's maintenance: nodes are deleted, and how long data are kept is its own setting. */
function ownPart(change: Maintenance): Maintenance {
  return change.kind === "delete node"
    ? change
    : { kind: "clean", operations: [], purgeLimit: null, kept: defaultRetention };
}
