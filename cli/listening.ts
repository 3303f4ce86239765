import { PortTaken, type Service, type ServiceOptions, startService } from "#app/service.ts";
import { log } from "./log.ts";

export interface ListenOptions extends Pick<ServiceOptions, "store" | "host"> {
  readonly port: number;
  /** Ports behind `port` that may be taken instead when it is in use. */
  readonly alternatives?: number;
}

/**
 * Serves a store on the first of the ports that is free.
 * @throws PortTaken when none is, or CensusError "bad-file" when the address is not ours
 */
export async function listen({ port, alternatives = 0, ...options }: ListenOptions): Promise<Service> {
  try {
    return await startService({
      ...options,
      port,
      onFault: (error, request) => log.fault(request, error),
    });
  } catch (error) {
    if (!(error instanceof PortTaken) || alternatives === 0 || port >= 65_535) throw error;
    return listen({ ...options, port: port + 1, alternatives: alternatives - 1 });
  }
}

/** Waits for Ctrl-C or a SIGTERM, then ends the service. A second signal ends the program at once. */
export async function serveUntilStopped(service: Service): Promise<void> {
  await new Promise<void>((resolve) => {
    let asked = false;
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve();
      });
    }
  });
  await service.close();
}
