import { requestListener, type Service, type ServiceOptions } from "#app/service.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import { log } from "./log.ts";

export interface ListenOptions extends Pick<ServiceOptions, "store" | "host"> {
  readonly port: number;
  /** Ports behind `port` that may be taken instead when it is in use. */
  readonly alternatives?: number;
}

/**
 * Serves a store on the first of the ports that is free. The listener is listhen's, held to what it is told: no other port
 * than the one named, no signal handlers, nothing printed.
 * @throws CensusError "bad-file" when none is, or the address is not ours
 */
export async function listen({ store, host = "127.0.0.1", port, alternatives = 0 }: ListenOptions): Promise<Service> {
  const handler = requestListener({
    store,
    clock: store.clock,
    onFault: (error, request) => log.fault(request, error),
  });
  const { listen: open } = await import("listhen");
  try {
    const listener = await open(handler, {
      hostname: host,
      port: port === 0 ? { random: true, host } : port,
      isProd: true,
      isTest: false,
      autoClose: false,
      showURL: false,
    });
    return { url: listener.url.replace(/\/$/, ""), close: () => listener.close() };
  } catch (error) {
    if (alternatives > 0 && port > 0 && port < 65_535 && isTaken(error)) {
      return listen({ store, host, port: port + 1, alternatives: alternatives - 1 });
    }
    const reason = isTaken(error) ? "is in use by another program; choose another port with --port" : messageOf(error);
    throw new CensusError("bad-file", `${host}:${port} ${reason}`, { cause: error });
  }
}

/** listhen looks before it listens, so a taken port comes as its own message or, in a race, as the system's. */
function isTaken(error: unknown): boolean {
  return /EADDRINUSE|Unable to find an available port/.test(messageOf(error));
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
