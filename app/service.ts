import { toNodeHandler } from "h3/node";
import { CensusError, messageOf } from "#storage/errors.ts";
import { application, type ApplicationOptions } from "./application.ts";
import { metricsContext } from "./metrics/context.ts";

export interface ServiceOptions extends Omit<ApplicationOptions, "metrics"> {
  /** Default 127.0.0.1: anybody on the machine, nobody else. */
  readonly host?: string;
  /** 0 = any free one. */
  readonly port?: number;
}

export interface Service {
  /** e.g. `http://127.0.0.1:8080`, without a slash at the end */
  readonly url: string;
  /** Stops listening, ends open connections once their answers are out. */
  close(): Promise<void>;
}

/** An address that another program listens on. */
export class PortTaken extends CensusError {
  constructor(host: string, port: number, cause: unknown) {
    const advice = "is in use by another program; choose another port with --port";
    super("bad-file", `${host}:${port} ${advice}`, { cause });
    this.name = "PortTaken";
  }
}

/**
 * Serves a store over HTTP. The listener is listhen's, held to what it is told: no other port than the one named, no
 * signal handlers, nothing printed.
 * @throws PortTaken, or CensusError "bad-file" when the address is not ours
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { host = "127.0.0.1", port = 0 } = options;
  const { listen } = await import("listhen");
  const metrics = metricsContext(options.store, options.store.metrics);
  try {
    const listener = await listen(toNodeHandler(application({ ...options, metrics })), {
      hostname: host,
      port: port === 0 ? { random: true, host } : port,
      isProd: true,
      isTest: false,
      autoClose: false,
      showURL: false,
    });
    const close = async (): Promise<void> => {
      await listener.close();
      metrics.figures.close();
    };
    return { url: listener.url.replace(/\/$/, ""), close };
  } catch (error) {
    metrics.figures.close();
    // listhen looks before it listens, so a taken port comes as its own message or, in a race, as the system's.
    if (/EADDRINUSE|Unable to find an available port/.test(messageOf(error))) throw new PortTaken(host, port, error);
    throw new CensusError("bad-file", `${host}:${port} ${messageOf(error)}`, { cause: error });
  }
}
