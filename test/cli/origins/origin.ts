import { type Service, startService } from "#app/service.ts";
import type { Follower } from "#cli/origins/follower.ts";
import { followServers } from "#cli/origins/following.ts";
import type { OriginStatus } from "#storage/origins/status.ts";
import type { Store } from "#storage/store.ts";
import type { StoreOptions } from "#storage/store-options.ts";
import { emptyStore } from "#test/fixture-store.ts";

/** Recorded changes refer to content that nothing else does: without them both have the same. */
const withoutHistory = { retention: { historyTtl: 0n } };

/** A server that can be followed. */
export interface Origin {
  readonly name: string;
  readonly store: Store;
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a server over a store of its own. */
export async function startOrigin(name = "origin", options: StoreOptions = withoutHistory): Promise<Origin> {
  const store = await emptyStore(options);
  const service: Service = await startService({ store });
  return {
    name,
    store,
    url: service.url,
    close: async () => {
      await service.close();
      await store.close();
    },
  };
}

/** A store that follows servers, as fast as it can. */
export interface Copy {
  readonly store: Store;
  readonly followers: readonly Follower[];
  readonly statuses: readonly OriginStatus[];
  /** Notices for people. */
  readonly notices: string[];
  /** Looks at all of them until nothing differs. */
  equalize(): Promise<void>;
  close(): Promise<void>;
}

/** Follows servers into a store. */
export async function follow(
  origins: readonly Pick<Origin, "name" | "url">[],
  options: StoreOptions = {},
  { acceptsLoss = false } = {},
): Promise<Copy> {
  const store = await emptyStore({ ...withoutHistory, ...options });
  const stopping = new AbortController();
  const notices: string[] = [];
  const settings = {
    origins,
    intervalMs: 1000,
    cert: undefined,
    key: undefined,
    cacert: undefined,
    tokenFile: undefined,
    acceptsCommands: false,
  };
  const following = await followServers(store, {
    settings,
    signal: stopping.signal,
    share: 1,
    acceptsLoss,
    onNotice: (text) => notices.push(text),
  });
  return {
    store,
    followers: following.followers,
    statuses: store.origins.statuses,
    notices,
    equalize: async () => {
      for (let looks = 1; ; looks++) {
        const same: boolean[] = [];
        for (const follower of following.followers) same.push(await follower.look(true));
        if (same.every(Boolean)) return;
        if (looks > 10) throw new Error(`still different after ${looks} looks`);
      }
    },
    close: async () => {
      stopping.abort(new Error("the copy is closed"));
      following.close();
      await store.close();
    },
  };
}

/** Tables of which the copy has less: what nothing refers to any more, and recorded changes. */
const others = /^history_|^environments$|^producers$/;

/** The fingerprint of each table that must be the same in a copy. */
export async function contentOf(store: Store): Promise<Record<string, string>> {
  const operations = new Set(["gc_packages", "gc_catalogs", "gc_fact_paths"] as const);
  await store.lifecycle.clean({ operations, purgeLimit: null });
  const { tables } = await store.fingerprint();
  return Object.fromEntries(Object.entries(tables).filter(([name]) => !others.test(name)));
}
