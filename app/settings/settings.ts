import type { FactsBlocklist } from "#storage/ingest/facts-blocklist.ts";
import type { Retention } from "#storage/lifecycle/retention.ts";
import type { AccessOptions } from "../access/access.ts";
import type { CommandSettings } from "../commands/settings.ts";
import type { QuerySettings } from "../query/settings.ts";
import { readBlocklist } from "./blocklist.ts";
import { hasTls, type HttpSettings, readHttp } from "./http.ts";
import { readRetention } from "./retention.ts";
import type { Values } from "./table.ts";
import type { Chosen } from "./values.ts";

/** Everything that can be set, by concern. What each is for stands in the table of `sections/`. */
export interface Settings {
  /** Absolute; undefined: where the platform keeps a program's data. */
  readonly dataDirectory: string | undefined;
  /** Whether an older store may be brought up to date. */
  readonly migrate: boolean;
  readonly http: HttpSettings;
  readonly access: AccessSettings;
  readonly commands: CommandSettings;
  /** Threads that parse and check commands; undefined: as many as pay. */
  readonly preparingThreads: number | undefined;
  readonly storesCorrectiveChange: boolean;
  readonly factsBlocklist: FactsBlocklist;
  readonly queries: Omit<QuerySettings, "gzip" | "bodyMaxSize">;
  readonly retention: Retention;
  /** Whether there is `/metrics/v2`. */
  readonly metrics: boolean;
  readonly log: LogSettings;
}

/** Who is let in: what `openAccess` takes. Paths are absolute. */
export type AccessSettings = Omit<AccessOptions, "log">;

/** What is logged, and how. */
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
    commands: {
      maxCommandSize: commands["max-command-size"],
      rejectLargeCommands: commands["reject-large-commands"],
      verifyChecksum: census["verify-checksum"],
    },
    preparingThreads: commands.threads,
    storesCorrectiveChange: census["store-corrective-change"],
    factsBlocklist: readBlocklist(database),
    queries: readQueries(values),
    retention: readRetention(database),
    metrics: metrics["metrics-webservice.jolokia.enabled"],
    log: { level: census["log-level"], format: census["log-format"] },
  };
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
    pretty: developer["pretty-print"],
    log: puppetdb["log-queries"],
    slowMs: slow === 0n ? undefined : Number(slow / 1000n),
  };
}
