import { SILENT_AFTER_MS } from "#storage/states/node-state.ts";
import { CensusError } from "#storage/errors.ts";
import { minimumMemory } from "#storage/memory/budget.ts";
import { defaultBounds } from "#storage/wire/bounds.ts";
import { readAddress } from "#storage/queue/replicated/address.ts";
import { days } from "#storage/time.ts";
import { defaultQueryLimits, MAX_DEPTH } from "#storage/query/limits.ts";
import { defaultCommandSettings } from "../../commands/settings.ts";
import { defaultExplorerSettings } from "../../explorer/settings.ts";
import { defaultLimits } from "../../listeners/limits.ts";
import { defaultQuerySettings } from "../../query/settings.ts";
import { duration, silentAfter } from "../kinds/durations.ts";
import { originAddresses } from "../kinds/origins.ts";
import { bytes, count, list, logAddress, oneOf, path, truth } from "../kinds/simple.ts";
import { optional, type Section, setting } from "../setting.ts";
import { signIn } from "./sign-in.ts";

/**
 * What PuppetDB has no setting for. It passes over sections that it does not know, so one configuration can be read by
 * both.
 */
export const census = {
  about: "Settings that PuppetDB does not have. PuppetDB ignores this section, so both can use the same configuration.",
  settings: {
    "allow-plain-http": setting({
      kind: truth,
      default: false,
      help: "Allow plain HTTP on addresses other than loopback; every client that can connect may read and change all data",
    }),
    "allowed-hosts": optional({
      kind: list,
      unset: "loopback names and the host of the listener",
      help: "More host names that browsers may use for the plain listener",
    }),
    "allowed-origins": optional({
      kind: list,
      unset: "none",
      help: "Origins of web pages that may use the service, e.g. https://dashboard.example.com",
    }),
    "authorization-policy": optional({
      kind: path,
      unset: "the rules PuppetDB ships",
      help: "File with the rules of who may use which endpoints; all other access is denied",
    }),
    explorer: setting({
      kind: truth,
      default: defaultExplorerSettings.enabled,
      help: "Serve the explorer, pages that show what is stored, at /explorer/",
    }),
    "silent-after": setting({
      aliases: ["explorer-silent-after"],
      kind: silentAfter,
      default: SILENT_AFTER_MS,
      help: "Time without a report after which a node is silent, in the explorer, in metrics and for commands; interval: three reports missing by its own interval, two hours at least",
    }),
    "allow-sql": setting({
      kind: truth,
      default: false,
      help: "Answer read-only SQL (census sql --url) of clients that may query; it can use more time and memory than PQL",
    }),
    "explorer-sql": setting({
      kind: truth,
      default: defaultExplorerSettings.sql,
      help: "Let the explorer's workbench run read-only SQL for all who may query; it can use more time and memory than PQL",
    }),
    "explorer-site": optional({
      kind: path,
      unset: "none",
      help: "File of queries, views and links (docs/explorer-site.md) that the explorer shows to all",
    }),
    "history-ttl": setting({
      kind: duration,
      default: days(90),
      help: "Delete recorded changes of nodes older than this; 0s: record none, and delete all",
    }),
    "history-volatile-facts": optional({
      kind: list,
      unset: "those in docs/history.md",
      help: "More facts whose changes are not recorded, e.g. apt_updates, networking.*.mtu; also what is below them",
    }),
    "command-log": optional({
      kind: logAddress,
      unset: "the queue in the data directory",
      help: "Log of commands that several servers share, in a PostgreSQL database (docs/high-availability.md)",
      check: (address) => void readAddress(address),
    }),
    "command-log-password-file": optional({
      kind: path,
      unset: "the password in command-log",
      help: "File with the password for command-log",
    }),
    "command-log-retention": setting({
      kind: duration,
      default: days(3),
      help: "Time for which the log keeps commands, in whole days; a server that was away for longer begins with a backup",
      check: (kept) => {
        if (kept < days(1)) throw new CensusError("bad-input", "command-log-retention must be 1d or more");
      },
    }),
    "command-log-compare-interval": setting({
      kind: duration,
      default: days(1),
      help: "Time between comparisons of what the servers that share a log have stored; 0s: none",
    }),
    follow: optional({
      kind: originAddresses,
      unset: "none",
      help: "PuppetDB, OpenVoxDB or Census servers to copy, e.g. https://pdb:8081 or eu=https://pdb-eu:8081; several, separated by spaces (docs/following.md)",
    }),
    "follow-cert": optional({
      kind: path,
      unset: "ssl-cert",
      help: "Client certificate for the servers that are followed, PEM",
    }),
    "follow-key": optional({ kind: path, unset: "ssl-key", help: "Private key of follow-cert, PEM" }),
    "follow-cacert": optional({
      kind: path,
      unset: "ssl-ca-cert, else the system's",
      help: "CA certificates of the servers that are followed, PEM",
    }),
    "follow-token-file": optional({
      kind: path,
      unset: "none",
      help: "File with the authentication token for the servers that are followed",
    }),
    "follow-interval": setting({
      kind: duration,
      default: 30_000_000n,
      help: "Time between looks at the servers that are followed",
      check: (interval) => {
        if (interval < 1_000_000n) throw new CensusError("bad-input", "follow-interval must be 1s or more");
      },
    }),
    "follow-accept-commands": setting({
      kind: truth,
      default: false,
      help: "Accept commands although servers are followed, for a move (docs/moving-from-puppetdb.md); otherwise they get 409",
    }),
    "verify-checksum": setting({
      kind: truth,
      default: defaultCommandSettings.verifyChecksum,
      help: "Reject commands whose checksum does not match the payload; PuppetDB never checks it",
    }),
    "store-corrective-change": setting({
      kind: truth,
      default: false,
      help: "Store and count corrective_change of reports and events, as Puppet Enterprise does",
    }),
    "max-command-unpacked-size": setting({
      kind: bytes,
      default: defaultBounds.unpackedBytes,
      help: "Maximum size of a command's payload, uncompressed; a larger one gets 413",
    }),
    "max-command-part-size": setting({
      kind: bytes,
      default: defaultBounds.partBytes,
      help: "Maximum size of one part of a command: a fact, a resource with its events, a log line",
    }),
    "max-command-values": setting({
      kind: count(1),
      default: defaultBounds.values,
      help: "Maximum number of values in a command, including arrays and objects",
    }),
    "max-factset-values": setting({
      kind: count(1),
      default: defaultBounds.factsetValues,
      help: "Maximum number of values in a factset; each is stored separately",
    }),
    "max-command-depth": setting({
      kind: count(1),
      default: defaultBounds.depth,
      help: "Maximum nesting depth of arrays and objects in a command",
      check: (depth) => {
        const most = defaultBounds.depth;
        if (depth > most) throw new CensusError("bad-input", `max-command-depth must be ${most} or less`);
      },
    }),
    "query-body-max-size": setting({
      kind: bytes,
      default: defaultQuerySettings.bodyMaxSize,
      help: "Maximum size of a query body, uncompressed",
    }),
    "query-max-depth": setting({
      kind: count(1),
      default: defaultQueryLimits.depth,
      help: `Maximum nesting depth of the conditions of a query; at most ${MAX_DEPTH}`,
      check: (depth) => {
        if (depth > MAX_DEPTH)
          throw new CensusError("bad-input", `query-max-depth must be ${MAX_DEPTH} or less, not ${depth}`);
      },
    }),
    "query-max-conditions": setting({
      kind: count(1),
      default: defaultQueryLimits.conditions,
      help: "Maximum number of conditions in a query; equalities of one field count as one",
    }),
    "query-max-values": setting({
      kind: count(1),
      default: defaultQueryLimits.values,
      help: "Maximum number of values in one list of a query",
    }),
    "query-max-columns": setting({
      kind: count(1),
      default: defaultQueryLimits.columns,
      help: "Maximum number of columns in a query",
    }),
    "query-max-pattern-size": setting({
      kind: bytes,
      default: defaultQueryLimits.patternBytes,
      help: "Maximum size of a regular expression or a time format in a query",
    }),
    "query-pattern-time": setting({
      kind: duration,
      default: BigInt(defaultQuerySettings.patternMs) * 1000n,
      help: "Time limit per query for regular expressions with look-around or back-references",
    }),
    "header-timeout": setting({
      kind: duration,
      default: BigInt(defaultLimits.headersMs) * 1000n,
      help: "Time limit for receiving the headers of a request",
    }),
    "request-timeout": setting({
      kind: duration,
      default: BigInt(defaultLimits.requestMs) * 1000n,
      help: "Time limit for receiving a whole request",
    }),
    "memory-limit": optional({
      kind: bytes,
      unset: "the limit of the machine and the control group",
      help: "Memory limit of the process, at least 512 MB",
      check: (value) => checkMemoryLimit(value),
    }),
    "body-pause-timeout": setting({
      kind: duration,
      default: BigInt(defaultLimits.stallMs) * 1000n,
      help: "Maximum pause of a client while it sends a request body",
    }),
    "max-connections": setting({
      kind: count(1),
      default: defaultLimits.connections,
      help:
        "Maximum number of connections, at most half the open-file limit; at the maximum, a new connection " +
        "replaces the one idle the longest, or gets 503 if none is idle",
    }),
    "answer-idle-timeout": setting({
      kind: duration,
      default: BigInt(defaultQuerySettings.idleMs) * 1000n,
      help: "Close the connection of a client that reads nothing of its response for this time",
    }),
    "slow-query-threshold": setting({
      kind: duration,
      default: 10_000_000n,
      help: "Log queries that take longer than this; 0s: none",
    }),
    "metrics-per-node": setting({
      kind: truth,
      default: false,
      help: "Include series of each node and its latest report in /metrics, dozens per node",
    }),
    "log-level": setting({
      kind: oneOf("error", "warn", "info", "debug"),
      default: "info",
      help: "Lowest level of log messages",
    }),
    "log-format": setting({
      kind: oneOf("auto", "text", "json"),
      default: "auto",
      help: "Log format; auto: text on a terminal, else json",
    }),
    "access-log": optional({
      kind: path,
      unset: "none",
      help: "Write the access log to this file, one line per request",
    }),
    "access-log-format": setting({
      kind: oneOf("json", "text"),
      default: "json",
      help: "Format of the access log",
    }),
    ...signIn,
  },
  ignored: {},
  removed: {
    "command-log-outbox": "removed in 0.1.0: the log in PostgreSQL needs no copies of commands; delete this setting",
  },
} as const satisfies Section;

function checkMemoryLimit(bytes: number): void {
  if (bytes < minimumMemory) throw new CensusError("bad-input", `memory-limit must be ${minimumMemory} bytes or more`);
}
