import { type Clock, systemClock } from "#storage/time.ts";
import { entrance, type Handler, validHeads } from "../http/entrance.ts";
import type { FaultListener } from "../http/fault.ts";
import { type AccessEntry, observed } from "./access-log.ts";
import { Connections } from "./connections.ts";
import { connectionsWithin, descriptorLimit } from "./descriptors.ts";
import { defaultLimits, type RequestLimits } from "./limits.ts";
import type { ListenerLog } from "./log.ts";
import type { PeopleListenerOptions } from "./people.ts";
import { openPlain, type PlainOptions } from "./plain.ts";
import type { openTls, TlsListener, TlsOptions } from "./tls.ts";

/** Where a service listens, and how it reports its traffic. */
export interface ListenersOptions {
  readonly plain?: PlainOptions;
  readonly tls?: TlsOptions;
  readonly people?: PeopleListenerOptions | undefined;
  /** Default: `defaultLimits`. */
  readonly limits?: Partial<RequestLimits>;
  /** Milliseconds for responses in progress when the service closes; default 10,000. */
  readonly graceMs?: number;
  readonly log: ListenerLog;
  /** Called with errors of handlers. */
  readonly onFault?: FaultListener | undefined;
  /** Called with every request once it has ended; see `accessLine`. */
  readonly onAccess?: (entry: AccessEntry) => void;
  /** Clock for times in the access log; default: the machine's. */
  readonly clock?: Clock;
}

/** The open listeners of a service. */
export interface Listeners {
  /** e.g. `http://127.0.0.1:8080` */
  readonly plainUrl?: string;
  /** e.g. `https://census.example.com:8081` */
  readonly tlsUrl?: string;
  /** Of the listener for people. */
  readonly peopleUrl?: string;
  /** Reads the certificates again and keeps connections; if they are invalid, logs why and keeps the old ones. */
  reload(): Promise<void>;
  /** Stops accepting, waits for responses in progress, and closes the remaining connections after the grace period. */
  close(): Promise<void>;
}

/**
 * Opens all configured listeners, or none if one of them fails.
 * @throws as `openPlain` and `openTls`
 */
export async function openListeners(handler: Handler, options: ListenersOptions): Promise<Listeners> {
  const { graceMs = 10_000, log, clock = systemClock } = options;
  const wanted = { ...defaultLimits, ...options.limits };
  const limits = { ...wanted, connections: Math.min(wanted.connections, connectionsWithin(descriptorLimit())) };
  const connections = new Connections(limits, log);
  const received = entrance(observed(validHeads(handler, log), clock, options.onAccess), options.onFault);
  // TLS first: it is the one more likely to fail.
  const tls = options.tls === undefined ? undefined : await openLoaded(received, options.tls, limits, log, connections);
  let people: TlsListener | undefined;
  try {
    if (options.people !== undefined) {
      const { openPeople } = await import("./people.ts");
      people = await openPeople(received, options.people, limits, log, connections);
    }
    const plain =
      options.plain === undefined ? undefined : await openPlain(received, options.plain, limits, log, connections);
    return {
      ...(plain === undefined ? {} : { plainUrl: plain.url }),
      ...(tls === undefined ? {} : { tlsUrl: tls.url }),
      ...(people === undefined ? {} : { peopleUrl: people.url }),
      reload: async () => {
        await Promise.all([tls?.reload(), people?.reload()]);
      },
      close: async () => {
        await Promise.all([plain?.close(graceMs), tls?.close(graceMs), people?.close(graceMs)]);
      },
    };
  } catch (error) {
    await Promise.all([tls?.close(0), people?.close(0)]);
    throw error;
  }
}

/** Load on demand: a service without TLS starts sooner. */
async function openLoaded(...given: Parameters<typeof openTls>): ReturnType<typeof openTls> {
  const { openTls } = await import("./tls.ts");
  return openTls(...given);
}
