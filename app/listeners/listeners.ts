import { type Clock, systemClock } from "#storage/time.ts";
import { entrance, type Handler, validHeads } from "../http/entrance.ts";
import type { FaultListener } from "../http/fault.ts";
import { type AccessEntry, observed } from "./access-log.ts";
import { Connections } from "./connections.ts";
import { connectionsWithin, descriptorLimit } from "./descriptors.ts";
import { defaultLimits, type RequestLimits } from "./limits.ts";
import type { ListenerLog } from "./log.ts";
import { openPlain, type PlainOptions } from "./plain.ts";
import type { openTls, TlsOptions } from "./tls.ts";

/** Where a service is to be reached, and what of its traffic is told. */
export interface ListenersOptions {
  readonly plain?: PlainOptions;
  readonly tls?: TlsOptions;
  /** Those that are not named are `defaultLimits`. */
  readonly limits?: Partial<RequestLimits>;
  /** Milliseconds that running answers have to finish in once the service closes; default 10,000. */
  readonly graceMs?: number;
  readonly log: ListenerLog;
  /** Told of what a handler throws. */
  readonly onFault?: FaultListener | undefined;
  /** Told of every request once it is over; see `accessLine`. */
  readonly onAccess?: (entry: AccessEntry) => void;
  /** What the access log's times are by; default: the machine's. */
  readonly clock?: Clock;
}

/** One handler, reached in one or two ways. */
export interface Listeners {
  /** e.g. `http://127.0.0.1:8080` */
  readonly plainUrl?: string;
  /** e.g. `https://census.example.com:8081` */
  readonly tlsUrl?: string;
  /** Reads the certificates again without dropping connections; bad ones are logged and the old ones hold on. */
  reload(): Promise<void>;
  /** Stops accepting, lets running answers finish and ends what is left when the grace is over. */
  close(): Promise<void>;
}

/**
 * Opens the listeners that are asked for, or none when one of them cannot be.
 * @throws as `openPlain` and `openTls`
 */
export async function openListeners(handler: Handler, options: ListenersOptions): Promise<Listeners> {
  const { graceMs = 10_000, log, clock = systemClock } = options;
  const wanted = { ...defaultLimits, ...options.limits };
  const limits = { ...wanted, connections: Math.min(wanted.connections, connectionsWithin(descriptorLimit())) };
  const connections = new Connections(limits, log);
  const told = entrance(observed(validHeads(handler, log), clock, options.onAccess), options.onFault);
  // First the one with more that can be wrong.
  const tls = options.tls === undefined ? undefined : await openLoaded(told, options.tls, limits, log, connections);
  try {
    const plain =
      options.plain === undefined ? undefined : await openPlain(told, options.plain, limits, log, connections);
    return {
      ...(plain === undefined ? {} : { plainUrl: plain.url }),
      ...(tls === undefined ? {} : { tlsUrl: tls.url }),
      reload: async () => tls?.reload(),
      close: async () => {
        await Promise.all([plain?.close(graceMs), tls?.close(graceMs)]);
      },
    };
  } catch (error) {
    await tls?.close(0);
    throw error;
  }
}

/** Loaded when it is needed: without TLS a service starts sooner. */
async function openLoaded(...given: Parameters<typeof openTls>): ReturnType<typeof openTls> {
  const { openTls } = await import("./tls.ts");
  return openTls(...given);
}
