import { type Service, type ServiceOptions, startService } from "#app/service.ts";
import { PortTaken } from "#app/listeners/listen-error.ts";
import { limited } from "#app/listeners/limited.ts";
import { onHangup } from "./hangup.ts";
import { log } from "./log.ts";
import { surviveUncaught } from "./uncaught.ts";

export interface ListenOptions extends Omit<ServiceOptions, "log" | "onFault"> {
  /** How many higher ports to try if the port of the plain listener is in use. */
  readonly alternatives?: number;
}

/**
 * Serves a store; if its port is in use, on the next free one within `alternatives`.
 * @throws as `startService`
 */
export async function listen({ alternatives = 0, ...options }: ListenOptions): Promise<Service> {
  try {
    return await startService({ ...options, log, onFault: (error, request) => log.fault(request, error) });
  } catch (error) {
    const { plain } = options;
    const isOver = alternatives === 0 || plain === undefined || plain.port >= 65_535;
    if (!(error instanceof PortTaken) || isOver) throw error;
    return listen({ ...options, plain: { ...plain, port: plain.port + 1 }, alternatives: alternatives - 1 });
  }
}

function logUncaught(error: unknown): void {
  log.fault("uncaught exception", error);
}

/**
 * Announces the service and waits for SIGINT or SIGTERM, then stops it; a second signal ends the program at once. SIGHUP
 * reloads certificates and access rules.
 */
export async function serveUntilStopped(service: Service, announce: () => Promise<void>): Promise<void> {
  const stopReloading = onHangup(() => void service.reload());
  const stopSurviving = surviveUncaught(
    limited(logUncaught, (count) => log.warn(`suppressed ${count} more uncaught exceptions`)),
  );
  const stopped = new Promise<void>((resolve) => {
    let asked = false;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve();
      });
    }
  });
  // Signal handlers are set first: a reader of the announcement may stop the service at once.
  await announce();
  await stopped;
  stopReloading();
  await service.close();
  stopSurviving();
}
