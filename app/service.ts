import type { Store } from "#storage/store.ts";
import { SILENT_AFTER_MS, type SilentAfter } from "#storage/states/node-state.ts";
import { type Access, type AccessOptions, openAccess } from "./access/access.ts";
import type { RequestFacts } from "./access/facts.ts";
import type { PersonSubject } from "./access/subject.ts";
import { application, type ApplicationOptions, fillingApplication } from "./application.ts";
import type { Progress } from "./explorer/api/shapes.ts";
import type { ComparedArchive } from "./explorer/services.ts";
import type { Handler } from "./http/entrance.ts";
import { type Listeners, type ListenersOptions, openListeners } from "./listeners/listeners.ts";
import { limited } from "./listeners/limited.ts";
import type { ListenerLog } from "./listeners/log.ts";
import { loadingApplication } from "./loading.ts";
import { type MetricsContext, metricsContext } from "./metrics/context.ts";
import { acceptsIncomplete, ShownStore } from "./shown-store.ts";
import type { SignIn, SignInOptions } from "./sign-in/sign-in.ts";

export interface ServiceOptions
  extends
    Omit<ApplicationOptions, "metrics" | "access" | "identities" | "log">,
    Omit<ListenersOptions, "log" | "clock" | "people"> {
  /** Whether `/metrics` has series of each node; default: no. */
  readonly metricsPerNode?: boolean;
  /** Access rules, besides those that always apply. */
  readonly access?: Omit<AccessOptions, "log" | "hasTls" | "identities">;
  /** Absent: neither tokens nor people are recognised. */
  readonly signIn?: SignInOptions | undefined;
  /** Receives messages about connections and access; absent: there are none. */
  readonly log?: ListenerLog;
}

export interface Service {
  /**
   * The service's URL, e.g. `http://127.0.0.1:8080`, without a slash at the end: of the plain listener if there is one.
   */
  readonly url: string;
  readonly plainUrl?: string;
  readonly tlsUrl?: string;
  /** Of the listener for people. */
  readonly peopleUrl?: string;
  /** Reads certificates and access rules again; if they are invalid, logs why and keeps the old ones. */
  reload(): Promise<void>;
  /** Stops listening, and closes open connections after their responses. */
  close(): Promise<void>;
}

/** Allows all users of this machine, and nobody else. */
const anywhereOnThisMachine = { host: "127.0.0.1", port: 0 };

/** Messages that clients can cause are logged at a limited rate. */
function limitedLog(log: ListenerLog): ListenerLog {
  return {
    notice: (line) => log.notice(line),
    warn: limited(
      (line: string) => log.warn(line),
      (count) => log.warn(`suppressed ${count} more warnings`),
    ),
  };
}

const nobody: ListenerLog = { notice: () => undefined, warn: () => undefined };

/** A service that listens before its store is open. */
export interface EarlyService extends Service {
  /**
   * Shows a store that is still being filled to clients that {@link acceptsIncomplete know} it, such as the explorer; others are
   * still answered 503.
   */
  show(store: Store): void;
  /** Resolves when nothing reads the store that is shown any more. Requests wait from then on until {@link ready}. */
  hide(): Promise<void>;
  /**
   * Serves this store from now on.
   * @param against an archive that it is compared with
   */
  ready(store: Store, against?: ComparedArchive): void;
}

/** The parts that every request needs, whether the store is open or not. */
interface Opening extends Pick<ApplicationOptions, "access" | "identities" | "onFault"> {
  readonly log: ListenerLog;
}

function metricsOptions({ metricsPerNode, explorer }: Pick<ServiceOptions, "metricsPerNode" | "explorer">): {
  isPerNode: boolean;
  silentAfter: SilentAfter;
} {
  return { isPerNode: metricsPerNode ?? false, silentAfter: explorer?.silentAfter ?? SILENT_AFTER_MS };
}

/**
 * Serves a store over HTTP; without listeners named, on a free port of this machine.
 * @throws PortTaken when another program listens there; CensusError "bad-file" naming the unusable address or file,
 * "bad-input" for plain HTTP beyond this machine that was not allowed
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { store } = options;
  const metrics = metricsContext(store, store.metrics, metricsOptions(options));
  const end = (): void => metrics.figures.close();
  try {
    return await openService(options, (opening) => application({ ...options, ...opening, metrics }), end);
  } catch (error) {
    end();
    throw error;
  }
}

/**
 * Listens while a store is still being opened: until it is ready, the explorer shows the progress, and everything else
 * is answered 503.
 * @param progress the progress of opening
 * @throws as {@link startService}
 */
export async function startEarly(
  options: Omit<ServiceOptions, "store">,
  progress: () => Progress,
): Promise<EarlyService> {
  let parts: Opening | undefined;
  let loading: Handler | undefined;
  let handler: Handler | undefined;
  let metrics: MetricsContext | undefined;
  let shown: ShownStore | undefined;
  const handlerOf = (opening: Opening): Handler => {
    parts = opening;
    handler = loading = loadingApplication({ ...options, ...opening }, progress);
    return (request, response) => handler?.(request, response);
  };
  const service = await openService(options, handlerOf, () => metrics?.figures.close());
  const applicationOptions = (store: Store): ApplicationOptions => {
    if (parts === undefined) throw new Error("the service does not listen");
    metrics?.figures.close();
    metrics = metricsContext(store, store.metrics, metricsOptions(options));
    return { ...options, ...parts, store, metrics };
  };
  return {
    ...service,
    show: (store) => {
      const before = shown;
      const next = new ShownStore(fillingApplication(applicationOptions(store), progress));
      shown = next;
      handler = (request, response) =>
        acceptsIncomplete(request) ? next.handle(request, response) : loading?.(request, response);
      before?.passOn(handler);
    },
    hide: async () => {
      await shown?.hide();
      metrics?.figures.close();
    },
    ready: (store, against) => {
      handler = application({ ...applicationOptions(store), against });
      shown?.passOn(handler);
    },
    close: async () => {
      // Requests that wait where nothing became ready.
      if (loading !== undefined) shown?.passOn(loading);
      await service.close();
    },
  };
}

/** @param end called once the service has closed */
async function openService(
  options: Omit<ServiceOptions, "store">,
  handlerOf: (opening: Opening) => Handler,
  end: () => void,
): Promise<Service> {
  const { tls } = options;
  const log = limitedLog(options.log ?? nobody);
  const onFault = options.onFault && limited(options.onFault, (count) => log.warn(`suppressed ${count} more errors`));
  const plain = options.plain ?? (tls === undefined ? anywhereOnThisMachine : undefined);
  const signIn = options.signIn && (await openSignIn(options.signIn, log));
  const access = await openAccess({
    hosts: plain === undefined ? [] : [plain.host],
    ...options.access,
    hasTls: tls !== undefined,
    identities: signIn,
    log,
  });
  const people = signIn?.people;
  if (people !== undefined) {
    people.mayEnter = (person) => access.judge(openingPages(person)) === undefined;
  }
  const listeners = await openListeners(handlerOf({ access, identities: signIn, log, onFault }), {
    ...options,
    people: people?.listener(),
    ...(plain === undefined ? {} : { plain }),
    onFault,
    log,
  });
  if (listeners.peopleUrl !== undefined) people?.listening(listeners.peopleUrl);
  return serviceOf(listeners, access, () => {
    signIn?.close();
    end();
  });
}

/** What a person does first who has signed in. */
function openingPages(subject: PersonSubject): RequestFacts {
  return { path: "/explorer/", family: "pages", method: "GET", listener: "people", address: "", subject };
}

/** Load on demand: most services recognise certificates alone. */
async function openSignIn(options: SignInOptions, log: ListenerLog): Promise<SignIn> {
  const { SignIn } = await import("./sign-in/sign-in.ts");
  return SignIn.open(options, log);
}

function serviceOf(listeners: Listeners, access: Access, end: () => void): Service {
  const { plainUrl, tlsUrl, peopleUrl } = listeners;
  return {
    url: plainUrl ?? tlsUrl ?? "",
    ...(plainUrl === undefined ? {} : { plainUrl }),
    ...(tlsUrl === undefined ? {} : { tlsUrl }),
    ...(peopleUrl === undefined ? {} : { peopleUrl }),
    reload: async () => {
      await Promise.all([access.reload(), listeners.reload()]);
    },
    close: async () => {
      await listeners.close();
      end();
    },
  };
}
