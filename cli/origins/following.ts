import type { FollowSettings } from "#app/settings/follow.ts";
import { originMetrics } from "#storage/metrics/families/origins.ts";
import type { Store } from "#storage/store.ts";
import { contactOf } from "../sources/contact.ts";
import { Follower } from "./follower.ts";
import { Pace } from "./pace.ts";
import { OriginRequests } from "./requests.ts";

/** The servers that a store follows. */
export interface Following {
  readonly followers: readonly Follower[];
  /** Looks at all of them again and again; resolves when the signal is aborted. */
  run(): Promise<void>;
  close(): void;
}

export interface FollowingOptions {
  readonly settings: FollowSettings;
  /** Ends requests. */
  readonly signal: AbortSignal;
  /** See {@link Pace}; default: a quarter of the time. */
  readonly share?: number;
  readonly acceptsLoss: boolean;
  readonly onNotice: (text: string) => void;
}

/**
 * Prepares to follow servers: forgets what is noted of others.
 * @throws CensusError "bad-file" for a certificate, key or token that cannot be read
 */
export async function followServers(store: Store, options: FollowingOptions): Promise<Following> {
  const { settings, signal, share, acceptsLoss, onNotice } = options;
  const { origins, cert, key, cacert, tokenFile: token, intervalMs } = settings;
  const { origins: copies, clock, retention } = store;
  const contacts = await Promise.all(origins.map(async ({ url }) => contactOf({ url, cert, key, cacert, token }, {})));
  const statuses = await copies.begin(origins);
  originMetrics(store.metrics, clock, statuses);
  const { reportTtl } = retention;
  const followed = statuses.flatMap((status, index) => {
    const contact = contacts[index];
    if (contact === undefined) return [];
    const requests = new OriginRequests(contact, status, new Pace(share), signal);
    const follower = new Follower({ origins: copies, status, requests, clock, reportTtl, acceptsLoss, onNotice });
    return [{ requests, follower }];
  });
  const followers = followed.map(({ follower }) => follower);
  return {
    followers,
    run: async () => {
      await Promise.all(followers.map(async (follower) => follower.run(intervalMs, signal)));
    },
    close: () => followed.forEach(({ requests }) => requests.close()),
  };
}
