import type { FactsBlocklist } from "#storage/ingest/facts-blocklist.ts";
import type { Retention } from "#storage/lifecycle/retention.ts";
import { days } from "#storage/time.ts";
import type { CommandBounds } from "#storage/wire/bounds.ts";
import type { AccessOptions } from "../access/access.ts";
import type { CommandSettings } from "../commands/settings.ts";
import type { ExplorerSettings } from "../explorer/settings.ts";
import type { QuerySettings } from "../query/settings.ts";
import { readBlocklist } from "./blocklist.ts";
import { type FollowSettings, readFollow } from "./follow.ts";
import { hasTls, type HttpSettings, readHttp } from "./http.ts";
import { readRetention } from "./retention.ts";
import { readSignIn, type SignInSettings } from "./sign-in.ts";
import type { Values } from "./table.ts";
import type { Chosen } from "./values.ts";

/** All settings, by concern. The table of `sections/` describes each. */
export interface Settings {
  /** Absolute; undefined: the platform's folder for data of programs. */
  readonly dataDirectory: string | undefined;
  /** Whether an older store may be migrated. */
  readonly migrate: boolean;
  readonly http: HttpSettings;
  readonly access: AccessSettings;
  /** Undefined: neither tokens nor people are recognised. */
  readonly signIn: SignInSettings | undefined;
  readonly commands: CommandSettings;
  /** Limits of one command's content. */
  readonly bounds: Partial<CommandBounds>;
  /** Threads that parse and check commands; undefined: as many as the memory budget allows. */
  readonly preparingThreads: number | undefined;
  readonly storesCorrectiveChange: boolean;
  /** The log that several servers share; undefined: the queue in the data directory. */
  readonly commandLog: CommandLogSettings | undefined;
  /** The servers that are followed; undefined: none. */
  readonly follow: FollowSettings | undefined;
  /** Memory limit of the process in bytes; undefined: what the system allows. */
  readonly memoryLimit: number | undefined;
  readonly factsBlocklist: FactsBlocklist;
  /** Paths of facts whose changes are not recorded, besides the declared ones. */
  readonly volatileFacts: readonly string[];
  readonly queries: Omit<QuerySettings, "gzip" | "bodyMaxSize">;
  readonly retention: Retention;
  /** Whether there is `/metrics/v2`. */
  readonly metrics: boolean;
  /** Whether `/metrics` has series of each node. */
  readonly metricsPerNode: boolean;
  readonly explorer: ExplorerSettings;
  readonly log: LogSettings;
}

/** Settings of the log of commands that several servers share. */
export interface CommandLogSettings {
  readonly address: string;
  readonly passwordFile: string | undefined;
  /** Days for which commands are kept. */
  readonly days: number;
  /** Milliseconds between comparisons of servers; 0: none. */
  readonly compareInterval: number;
}

/** Settings of the access rules, for `openAccess`. Paths are absolute. */
export type AccessSettings = Omit<AccessOptions, "log" | "identities">;

/** Settings of the log. */
export interface LogSettings {
  readonly level: "error" | "warn" | "info" | "debug";
  /** `auto`: text on a terminal, json elsewhere. */
  readonly format: "auto" | "text" | "json";
}

/** Puts the settings together, by concern. */
export function assemble(values: Values, chosen: Chosen): Settings {
  const { global, database, "command-processing": commands, metrics, census } = values;
  return {
    dataDirectory: global.vardir,
    migrate: database.migrate,
    http: readHttp(values, chosen),
    access: readAccess(values, chosen),
    signIn: readSignIn(values, chosen),
    commands: {
      maxCommandSize: commands["max-command-size"],
      rejectLargeCommands: commands["reject-large-commands"],
      verifyChecksum: census["verify-checksum"],
    },
    bounds: {
      unpackedBytes: census["max-command-unpacked-size"],
      partBytes: census["max-command-part-size"],
      values: census["max-command-values"],
      factsetValues: census["max-factset-values"],
      depth: census["max-command-depth"],
    },
    preparingThreads: commands.threads,
    storesCorrectiveChange: census["store-corrective-change"],
    commandLog: readCommandLog(values),
    follow: readFollow(values),
    memoryLimit: census["memory-limit"],
    factsBlocklist: readBlocklist(database),
    volatileFacts: census["history-volatile-facts"] ?? [],
    queries: readQueries(values),
    retention: readRetention(values),
    metrics: metrics["metrics-webservice.jolokia.enabled"],
    metricsPerNode: census["metrics-per-node"],
    explorer: {
      enabled: census.explorer,
      silentAfter: census["silent-after"],
      sql: census["explorer-sql"],
      site: census["explorer-site"],
    },
    log: { level: census["log-level"], format: census["log-format"] },
  };
}

function readCommandLog({ census }: Values): CommandLogSettings | undefined {
  const { "command-log": address, "command-log-password-file": passwordFile } = census;
  const { "command-log-retention": kept, "command-log-compare-interval": interval } = census;
  if (address === undefined) return undefined;
  const compareInterval = Number(interval / 1000n);
  return { address, passwordFile, days: Math.ceil(Number(kept) / Number(days(1))), compareInterval };
}

function readAccess({ jetty, puppetdb, census }: Values, chosen: Chosen): AccessSettings {
  const { "certificate-allowlist": allowlist } = puppetdb;
  const { "authorization-policy": policy, "allowed-hosts": hosts = [], "allowed-origins": origins = [] } = census;
  return {
    hasTls: hasTls(chosen),
    hosts: [jetty.host, ...hosts],
    origins,
    ...(allowlist === undefined ? {} : { allowlist }),
    ...(policy === undefined ? {} : { policy }),
  };
}

function readQueries({ puppetdb, developer, census }: Values): Settings["queries"] {
  const slow = census["slow-query-threshold"];
  return {
    timeoutDefaultMs: puppetdb["query-timeout-default"],
    timeoutMaxMs: puppetdb["query-timeout-max"],
    agentReportsOnly: puppetdb["add-agent-report-filter"],
    sql: census["allow-sql"],
    pretty: developer["pretty-print"],
    log: puppetdb["log-queries"],
    idleMs: Number(census["answer-idle-timeout"] / 1000n),
    slowMs: slow === 0n ? undefined : Number(slow / 1000n),
    limits: {
      depth: census["query-max-depth"],
      conditions: census["query-max-conditions"],
      values: census["query-max-values"],
      columns: census["query-max-columns"],
      patternBytes: census["query-max-pattern-size"],
    },
    patternMs: Number(census["query-pattern-time"] / 1000n),
  };
}
