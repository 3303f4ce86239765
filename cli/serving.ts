import { hostname } from "node:os";
import { basename, resolve } from "node:path";
import { accessLine } from "#app/listeners/access-log.ts";
import type { EffectiveSettings, ExplorerSource } from "#app/explorer/services.ts";
import { refusalOf } from "#app/settings/follow.ts";
import type { IgnoredSetting } from "#app/settings/choose.ts";
import type { SettingEntry, SettingWarning } from "#app/settings/load.ts";
import type { QueryEntry } from "#app/query/watch.ts";
import type { Settings } from "#app/settings/settings.ts";
import { version } from "#app/version.ts";
import { limitMemory } from "#storage/memory/budget.ts";
import { openStore } from "#storage/open.ts";
import type { Store } from "#storage/store.ts";
import type { StoreOptions } from "#storage/store-options.ts";
import type { Clock } from "#storage/time.ts";
import type { LogFile } from "./log-file.ts";
import { announceServer, explorerUrl } from "./announcement.ts";
import { logCommands } from "./command-log.ts";
import { type ServableStore, openAndPreload } from "./open-and-preload.ts";
import type { Following } from "./origins/following.ts";
import { openBrowser } from "./browser.ts";
import { onHangup } from "./hangup.ts";
import { configureLog, log } from "./log.ts";
import { logMaintenance } from "./maintenance-log.ts";
import { releaseMemoryWhenIdle } from "./idle-memory.ts";
import { contentSettings, sharedSettings } from "./shared-settings.ts";
import { stdout } from "./stdout.ts";

export interface Serving {
  /** Absent: in memory. */
  readonly directory: string | undefined;
  /** Absent: the machine's. */
  readonly clock: Clock | undefined;
  /** Settings of PuppetDB in the configuration that Census ignores. */
  readonly ignored: readonly IgnoredSetting[];
  readonly warnings: readonly SettingWarning[];
  /** Every setting, for people to read. */
  readonly entries: readonly SettingEntry[];
  /** Whether to serve a directory that contains less than it did. */
  readonly acceptsLoss?: boolean | undefined;
  /** How many higher ports to try if the port for plain HTTP is in use; default: none. */
  readonly alternatives?: number;
  /** Whether to show the explorer in the user's browser, where there is one. */
  readonly showsBrowser?: boolean;
}

/** Serves a store with these settings until a signal stops the program. */
export async function serveWith(
  settings: Settings,
  { directory, clock, ignored, warnings, entries, acceptsLoss = false, ...showing }: Serving,
): Promise<void> {
  await configureLog(settings.log);
  for (const { section, name, from, reason } of ignored) {
    log.notice(`${from}: ignored [${section}] ${name}: ${reason}`);
  }
  for (const { subject, problem, remedy } of warnings) log.warn(`${subject} ${problem}; ${remedy}`);
  limitMemory(settings.memoryLimit);
  const opened = await openAndPreload(() =>
    openStore({
      ...(directory === undefined ? {} : { directory }),
      ...(clock === undefined ? {} : { clock }),
      ...contentSettings(settings),
      bounds: settings.bounds,
      preparingThreads: settings.preparingThreads,
      ...commandLogOf(settings, directory),
      mayMigrate: settings.migrate,
      acceptsLoss,
      onCommand: logCommands(log),
      onMaintenance: logMaintenance(log),
      onNotice: (text) => log.warn(text),
      onGivenUp: (reason) => {
        log.warn(`this process cannot reopen the database file and exits: ${reason}`);
        // Only a new process can open the database file; all acknowledged commands are on disk.
        process.exit(3);
      },
    }),
  );
  const { store } = opened;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  try {
    for (const path of store.damagedQueueFiles) log.warn(`part of the queue was damaged and was set aside as ${path}`);
    const following = await follow(store, settings, { acceptsLoss, signal: stopping.signal });
    running = following?.run().finally(() => following.close());
    await serve(opened, settings, { directory, effective: { entries, ignored }, ...showing });
  } finally {
    stopping.abort(new Error("the server stops"));
    await running;
    await store.close();
  }
}

/** Loaded on demand: most servers follow no other. */
async function follow(
  store: Store,
  { follow: settings }: Settings,
  { signal, acceptsLoss }: { readonly signal: AbortSignal; readonly acceptsLoss: boolean },
): Promise<Following | undefined> {
  if (settings === undefined) return undefined;
  const { followServers } = await import("./origins/following.ts");
  return followServers(store, { settings, signal, acceptsLoss, onNotice: (text) => log.warn(text) });
}

/** Loaded on demand: most servers have their own queue. */
function commandLogOf(
  settings: Settings,
  directory: string | undefined,
): Pick<StoreOptions, "commandLog" | "compareInterval"> {
  const { commandLog } = settings;
  if (commandLog === undefined) return {};
  const { address, passwordFile, days, compareInterval } = commandLog;
  return {
    compareInterval,
    commandLog: async (store) => {
      const [{ PostgresLog }, { readAddress }] = await Promise.all([
        import("#storage/queue/replicated/postgres-log.ts"),
        import("#storage/queue/replicated/address.ts"),
      ]);
      return PostgresLog.open(store, {
        address: readAddress(address, passwordFile),
        server: { name: serverName(directory), version },
        days,
        settings: sharedSettings(settings),
        onNotice: (text) => log.warn(text),
      });
    },
  };
}

/** What distinguishes a server from the others of its log, for people: `census1.example.com:/var/lib/census`. */
function serverName(directory: string | undefined): string {
  return `${hostname()}:${directory === undefined ? `memory ${process.pid}` : resolve(directory)}`;
}

async function serve(
  { store, listening: { listen, serveUntilStopped } }: ServableStore,
  {
    http,
    access,
    signIn,
    commands,
    queries,
    metrics,
    metricsPerNode,
    explorer,
    follow: followed,
    log: { format },
  }: Settings,
  {
    directory,
    effective,
    alternatives = 0,
    showsBrowser = false,
  }: { readonly directory: string | undefined; readonly effective: EffectiveSettings } & Pick<
    Serving,
    "alternatives" | "showsBrowser"
  >,
): Promise<void> {
  const { plain, tls, limits, shutdownMs: graceMs, accessLog } = http;
  const source = sourceOf(directory);
  const refusedBecause = followed === undefined || followed.acceptsCommands ? undefined : refusalOf(followed);
  const opened = accessLog === undefined ? undefined : await openLog(accessLog.path);
  const audit = signIn?.auditLog === undefined ? undefined : await openLog(signIn.auditLog);
  try {
    const service = await listen({
      store,
      alternatives,
      ...(plain === undefined ? {} : { plain }),
      ...(tls === undefined ? {} : { tls }),
      ...(opened === undefined || accessLog === undefined
        ? {}
        : { onAccess: (entry) => opened.write(accessLine(entry, accessLog.format)) }),
      limits,
      graceMs,
      access,
      signIn: signIn && { ...signIn, directory, onAudit: (line) => (audit ?? noticed).write(line) },
      commands: { ...commands, bodyMaxSize: http.bodyMaxSize, refusedBecause },
      queries: { ...queries, gzip: http.gzip, bodyMaxSize: http.queryBodyMaxSize },
      onQuery: logQuery,
      hasMetrics: metrics,
      metricsPerNode,
      explorer,
      source,
      effective,
    });
    const urls = [service.plainUrl, service.tlsUrl, service.peopleUrl].filter((url) => url !== undefined);
    // A store in memory is empty. The first command reports an error of this.
    if (showsBrowser) openBrowser(explorerUrl(service.url));
    if (source.kind === "data") void preload(store).catch(() => undefined);
    const stopResting = releaseMemoryWhenIdle(store);
    const stopReopening = onHangup(() => [opened, audit].forEach((file) => void file?.reopen()));
    await serveUntilStopped(service, () =>
      announce(announceServer(urls, explorer.enabled, signIn?.people?.url), format),
    );
    stopReopening();
    stopResting();
  } finally {
    await Promise.all([opened?.close(), audit?.close()]);
  }
}

async function preload(store: Store): Promise<void> {
  await store.preload();
  // A store that follows no server any more keeps their nodes as its own.
  if (store.origins.statuses.length === 0) await store.origins.begin([]);
}

/** Where the log is JSON, the announcement is part of it: collectors often read stdout and stderr as one. */
async function announce(text: string, format: Settings["log"]["format"]): Promise<void> {
  if (format !== "json") return stdout.write(text);
  for (const line of text.trimEnd().split("\n")) log.notice(line);
}

function sourceOf(directory: string | undefined): ExplorerSource {
  if (directory === undefined) return { kind: "memory", name: "" };
  return { kind: "data", name: basename(resolve(directory)) };
}

/** Without a file of its own the audit log is part of the log. */
const noticed = { write: (line: string): void => log.notice(line) };

/** Loaded on demand: most servers have no such file. */
async function openLog(path: string): Promise<LogFile> {
  const { openLogFile } = await import("./log-file.ts");
  return openLogFile(path);
}

function logQuery({ query = "everything", path, origin, statements, ms, isSlow }: QueryEntry): void {
  const from = origin === undefined ? "" : ` from ${JSON.stringify(origin)}`;
  const line = `${path}${from} took ${Math.round(ms)} ms: ${query}; SQL: ${statements.join("; ") || "none"}`;
  if (isSlow) log.warn(`slow query: ${line}`);
  else log.notice(`query: ${line}`);
}
