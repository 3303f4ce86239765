import { type Service, type ServiceOptions, startService } from "#app/service.ts";
import { PortTaken } from "#app/listeners/listen-error.ts";
import { limited } from "#app/listeners/limited.ts";
import { onHangup } from "./hangup.ts";
import { log } from "./log.ts";
import { surviveUncaught } from "./uncaught.ts";

export interface ListenOptions extends Omit<ServiceOptions, "log" | "onFault"> {
  /** Ports behind that of the plain listener that may be taken instead when it is in use. */
  readonly alternatives?: number;
}

/**
 * Serves a store, where its port is taken on the first of the alternatives that is free.
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
 * Has it said that the service is there and waits for Ctrl-C or a SIGTERM, then ends the service; a second signal ends
 * the program at once. A SIGHUP has it read its certificates and rules again.
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
  // Who reads that it is there may tell it to stop at once.
  await announce();
  await stopped;
  stopReloading();
  await service.close();
  stopSurviving();
}
