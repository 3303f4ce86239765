import { Readable } from "node:stream";
import type { ChangeEvent } from "./change-event.ts";

/** Milliseconds between two looks at the store, and so between two events. */
const LOOK_MS = 1000;
/** After this time without an event a comment is sent, which finds clients that have left and keeps proxies from closing. */
const COMMENT_MS = 15_000;
/** A client that has not read for this long is disconnected. */
const UNREAD_MS = 60_000;
/** A response ends after this, so that access rules are applied again. */
const LONGEST_MS = 600_000;
/** Followers at the same time, of all listeners. */
const MOST_FOLLOWERS = 200;

/** Entities with a text each that changes when their rows do. */
type Versions = ReadonlyMap<string, string>;

/** What is followed. */
export interface Followed {
  /** Changes with everything stored. */
  readonly revision: () => number;
  /** The revision of which, or of a later one, every answer is from now on. */
  readonly settled: () => number;
  /** Read only when the revision has changed. */
  readonly versions: () => Versions;
}

interface Present {
  readonly revision: number;
  readonly versions: Versions;
}

interface Follower {
  readonly stream: Readable;
  readonly since: number;
  /** What it was sent last, and when it had read everything. */
  revision: number;
  versions: Versions;
  idleSince: number;
}

/**
 * Reports to the pages that follow it which entities have changed, at most once a second, and not before all that a page fetches then
 * includes the change: an answer may be cached that is shown for a while. Nothing is done while nobody follows. Each follower is compared with what it was sent last: while a client does not read, nothing is queued for it, and
 * afterwards one event has all that changed.
 */
export class ChangeFeed {
  readonly #followed: Followed;
  readonly #followers = new Set<Follower>();
  #timer: NodeJS.Timeout | undefined;
  /** What was announced last. */
  #announced: Present | undefined;
  /** What will be, once answers include it. */
  #next: Present | undefined;

  constructor(followed: Followed) {
    this.#followed = followed;
  }

  /** Pages that follow at present. */
  get followers(): number {
    return this.#followers.size;
  }

  /**
   * Follows the store until the stream is destroyed or ended. Its first event has the revision of which answers are.
   * @returns server-sent events; undefined when there are too many followers
   */
  follow(): { readonly stream: Readable; readonly end: () => void } | undefined {
    if (this.#followers.size >= MOST_FOLLOWERS) return undefined;
    const { revision, versions } = this.#read();
    const stream = new Readable({ read: () => undefined });
    const now = performance.now();
    const follower = { stream, since: now, revision, versions, idleSince: now };
    this.#followers.add(follower);
    stream.once("close", () => this.#leave(follower));
    stream.push(eventText({ revision }));
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    return { stream, end: () => end(stream) };
  }

  /** What can be announced. At first, while answers may be of an earlier revision, no versions are known: everything changes then. */
  #read(): Present {
    const { revision, settled, versions } = this.#followed;
    const [present, known] = [revision(), settled()];
    if (this.#next === undefined && this.#announced?.revision !== present) {
      this.#next = { revision: present, versions: versions() };
    }
    if (this.#next !== undefined && known >= this.#next.revision) {
      [this.#announced, this.#next] = [this.#next, undefined];
    }
    return (this.#announced ??= { revision: known, versions: new Map() });
  }

  #look(): void {
    let present: Present;
    try {
      present = this.#read();
    } catch {
      // Those who follow again receive the reason, as it is logged there.
      for (const { stream } of this.#followers) end(stream);
      return;
    }
    const { revision, versions } = present;
    const now = performance.now();
    for (const follower of this.#followers) {
      const { stream, since, idleSince } = follower;
      if (now - since > LONGEST_MS) {
        end(stream);
      } else if (stream.readableLength > 0) {
        if (now - idleSince > UNREAD_MS) stream.destroy();
      } else if (follower.revision !== revision) {
        const changed = [...versions.keys()].filter((name) => versions.get(name) !== follower.versions.get(name));
        stream.push(eventText({ revision, changed }));
        Object.assign(follower, { revision, versions, idleSince: now });
      } else if (now - idleSince > COMMENT_MS) {
        stream.push(":\n\n");
        follower.idleSince = now;
      }
    }
  }

  #leave(follower: Follower): void {
    this.#followers.delete(follower);
    if (this.#followers.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#announced = undefined;
    this.#next = undefined;
  }
}

function eventText(event: ChangeEvent): string {
  return `event: changes\ndata: ${JSON.stringify(event)}\n\n`;
}

function end(stream: Readable): void {
  if (!stream.readableEnded && !stream.destroyed) stream.push(null);
}
