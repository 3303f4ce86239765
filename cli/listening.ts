import type { Progress } from "#app/explorer/api/shapes.ts";
import { type EarlyService, type Service, type ServiceOptions, startEarly, startService } from "#app/service.ts";
import { PortTaken } from "#app/listeners/listen-error.ts";
import type { PlainOptions } from "#app/listeners/plain.ts";
import { limited } from "#app/listeners/limited.ts";
import { onHangup } from "./hangup.ts";
import { log } from "./log.ts";
import { stopSignal } from "./signals.ts";
import { surviveUncaught } from "./uncaught.ts";

/** Options of a service, of which its log is given. */
type Without<Options> = Omit<Options, "log" | "onFault">;

interface Ports {
  /** How many higher ports to try if the port of the plain listener is in use. */
  readonly alternatives?: number;
}

const logging = { log, onFault: (error: unknown, request: string) => log.fault(request, error) };

/**
 * Serves a store; if its port is in use, on the next free one within `alternatives`.
 * @throws as `startService`
 */
export async function listen({ alternatives = 0, ...options }: Without<ServiceOptions> & Ports): Promise<Service> {
  return onFreePort(options.plain, alternatives, (plain) => startService({ ...options, ...plain, ...logging }));
}

/**
 * The same before the store is open; the caller passes it on.
 * @param progress how far the opening is
 * @throws as `startEarly`
 */
export async function listenEarly(
  { alternatives = 0, ...options }: Without<Omit<ServiceOptions, "store">> & Ports,
  progress: () => Progress,
): Promise<EarlyService> {
  return onFreePort(options.plain, alternatives, (plain) => startEarly({ ...options, ...plain, ...logging }, progress));
}

async function onFreePort<Started>(
  plain: PlainOptions | undefined,
  alternatives: number,
  start: (options: { readonly plain?: PlainOptions }) => Promise<Started>,
): Promise<Started> {
  try {
    return await start(plain === undefined ? {} : { plain });
  } catch (error) {
    const isOver = alternatives === 0 || plain === undefined || plain.port >= 65_535;
    if (!(error instanceof PortTaken) || isOver) throw error;
    return onFreePort({ ...plain, port: plain.port + 1 }, alternatives - 1, start);
  }
}

function logUncaught(error: unknown): void {
  log.fault("uncaught exception", error);
}

/** Keeps the program running after uncaught exceptions, which are logged; call the result to stop this. */
export function surviveFaults(): () => void {
  return surviveUncaught(limited(logUncaught, (count) => log.warn(`suppressed ${count} more uncaught exceptions`)));
}

/**
 * Announces the service and waits for SIGINT or SIGTERM, then stops it; a second signal ends the program at once.
 * SIGHUP reloads certificates and access rules.
 */
export async function serveUntilStopped(service: Service, announce: () => Promise<void>): Promise<void> {
  const stopReloading = onHangup(() => void service.reload());
  const stopSurviving = surviveFaults();
  const stopped = stopSignal(["SIGINT", "SIGTERM"]);
  // Signal handlers are set first: a reader of the announcement may stop the service at once.
  await announce();
  await stopped;
  stopReloading();
  await service.close();
  stopSurviving();
}
