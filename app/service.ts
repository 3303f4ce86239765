import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { CensusError, type ErrorCode, messageOf } from "#storage/errors.ts";
import type { Store } from "#storage/store.ts";
import type { Clock } from "#storage/time.ts";
import { formatTimestamp } from "#storage/time.ts";
import { type CommandSettings, defaultCommandSettings } from "./commands/settings.ts";
import { notFound, prettyAnswer, textAnswer } from "./http/answers.ts";
import { refuseMedia } from "./http/negotiation.ts";
import { nodeRequest, rawTarget } from "./http/request.ts";
import { answerCommand } from "./routes/commands.ts";
import { answerQuery } from "./routes/query.ts";
import { version } from "./version.ts";

export interface ServiceOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Default 127.0.0.1: anybody on the machine, nobody else. */
  readonly host?: string;
  /** 0 = any free one. */
  readonly port?: number;
  readonly commands?: Partial<CommandSettings>;
  /** Told of faults of ours, which the client sees as a bare 500. */
  readonly onFault?: (error: unknown, request: string) => void;
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
  try {
    const listener = await listen(toNodeHandler(application(options)), {
      hostname: host,
      port: port === 0 ? { random: true, host } : port,
      isProd: true,
      isTest: false,
      autoClose: false,
      showURL: false,
    });
    return { url: listener.url.replace(/\/$/, ""), close: () => listener.close() };
  } catch (error) {
    // listhen looks before it listens, so a taken port comes as its own message or, in a race, as the system's.
    if (/EADDRINUSE|Unable to find an available port/.test(messageOf(error))) throw new PortTaken(host, port, error);
    throw new CensusError("bad-file", `${host}:${port} ${messageOf(error)}`, { cause: error });
  }
}

/** How errors that are written for users are answered; those of files are faults of the server. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  "bad-input": 400,
  "not-found": 404,
  conflict: 409,
  unavailable: 503,
};

/** The routes. */
function application({ store, clock, onFault, commands }: Omit<ServiceOptions, "host" | "port">): H3 {
  const app = new H3({
    silent: true,
    onError: (error, event) => {
      const cause = error.unhandled === true ? error.cause : error;
      const status = cause instanceof CensusError ? statuses[cause.code] : undefined;
      if (status !== undefined) return textAnswer(messageOf(cause), status);
      // The framework's own refusals, such as a path whose percent escapes are none.
      if (error.unhandled !== true && error.status < 500) return textAnswer(error.message, error.status);
      onFault?.(cause, `${event.req.method} ${event.url.pathname}`);
      return textAnswer("An unexpected error occurred", 500);
    },
  });
  app.all("/pdb/query/**", (event) => answerQuery(store, event));
  app.all("/pdb/query", () => notFound());
  const commandSettings = { ...defaultCommandSettings, ...commands };
  for (const path of ["/pdb/cmd", "/pdb/cmd/**"]) {
    app.all(path, (event) => answerCommand(store, commandSettings, event));
  }
  app.all("/pdb/meta/v1/version", (event) => checked(event, () => prettyAnswer({ version })));
  app.all("/pdb/meta/v1/server-time", (event) =>
    checked(event, () => prettyAnswer({ server_time: formatTimestamp(clock.now()) })),
  );
  app.get("/status/v1/simple", () => textAnswer("running", 200));
  app.all("/**", () => notFound());
  return app;
}

function checked(event: Parameters<typeof nodeRequest>[0], answer: () => Response): Response {
  return refuseMedia(nodeRequest(event), rawTarget(event).path) ?? answer();
}
