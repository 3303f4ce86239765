import { CensusError } from "#storage/errors.ts";
import { leastMemory } from "#storage/memory/budget.ts";
import { defaultBounds } from "#storage/wire/bounds.ts";
import { defaultQueryLimits, MOST_DEPTH } from "#storage/query/limits.ts";
import { defaultCommandSettings } from "../../commands/settings.ts";
import { defaultLimits } from "../../listeners/limits.ts";
import { defaultQuerySettings } from "../../query/settings.ts";
import { duration } from "../kinds/durations.ts";
import { bytes, count, list, oneOf, path, truth } from "../kinds/simple.ts";
import { optional, type Section, setting } from "../setting.ts";

/**
 * What the peer has no setting for. It passes over sections that it does not know, so one configuration can be read by
 * both.
 */
export const census = {
  about: "What PuppetDB has no setting for. It passes over the section, so one configuration serves both.",
  settings: {
    "allow-plain-http": setting({
      kind: truth,
      default: false,
      help: "Speak plain HTTP beyond loopback: whoever reaches it may read and change everything",
    }),
    "allowed-hosts": optional({
      kind: list,
      unset: "loopback names and the listener's own",
      help: "Further names by which browsers may call the plain listener",
    }),
    "allowed-origins": optional({
      kind: list,
      unset: "none",
      help: "Origins of web pages, such as https://dashboard.example.com, that may use the service",
    }),
    "authorization-policy": optional({
      kind: path,
      unset: "as PuppetDB ships it",
      help: "File that says who may use which family of endpoints; everybody else may not",
    }),
    "verify-checksum": setting({
      kind: truth,
      default: defaultCommandSettings.verifyChecksum,
      help: "Refuse commands whose checksum is not their payload's; PuppetDB never looks",
    }),
    "store-corrective-change": setting({
      kind: truth,
      default: false,
      help: "Store corrective_change of reports and events, and count it, as the enterprise edition does",
    }),
    "max-command-unpacked-size": setting({
      kind: bytes,
      default: defaultBounds.unpackedBytes,
      help: "Largest payload of a command, unpacked; larger ones are refused with a 413",
    }),
    "max-command-part-size": setting({
      kind: bytes,
      default: defaultBounds.partBytes,
      help: "Largest part of a command: one fact, one resource with its events, one log line",
    }),
    "max-command-values": setting({
      kind: count(1),
      default: defaultBounds.values,
      help: "Most values in one command, lists and objects included",
    }),
    "max-factset-values": setting({
      kind: count(1),
      default: defaultBounds.factsetValues,
      help: "Most values in one fact set, each of which is stored by itself",
    }),
    "max-command-depth": setting({
      kind: count(1),
      default: defaultBounds.depth,
      help: "Most levels of lists and objects within each other in one command",
      check: (depth) => {
        const most = defaultBounds.depth;
        if (depth > most) throw new CensusError("bad-input", `max-command-depth: must be ${most} or less`);
      },
    }),
    "query-body-max-size": setting({
      kind: bytes,
      default: defaultQuerySettings.bodyMaxSize,
      help: "Largest body of a query, unpacked",
    }),
    "query-max-depth": setting({
      kind: count(1),
      default: defaultQueryLimits.depth,
      help: `How many conditions of a query may be inside each other; ${MOST_DEPTH} at most`,
      check: (depth) => {
        if (depth > MOST_DEPTH)
          throw new CensusError("bad-input", `query-max-depth must be ${MOST_DEPTH} or less, not ${depth}`);
      },
    }),
    "query-max-conditions": setting({
      kind: count(1),
      default: defaultQueryLimits.conditions,
      help: "How many conditions a query may have; equalities of one field count as one",
    }),
    "query-max-values": setting({
      kind: count(1),
      default: defaultQueryLimits.values,
      help: "How many values one list of a query may have",
    }),
    "query-max-columns": setting({
      kind: count(1),
      default: defaultQueryLimits.columns,
      help: "How many columns a query may name",
    }),
    "query-max-pattern-size": setting({
      kind: bytes,
      default: defaultQueryLimits.patternBytes,
      help: "Largest regular expression, and format of a time, in a query",
    }),
    "query-pattern-time": setting({
      kind: duration,
      default: BigInt(defaultQuerySettings.patternMs) * 1000n,
      help: "How long regular expressions with look-around or back-references may take in one query",
    }),
    "header-timeout": setting({
      kind: duration,
      default: BigInt(defaultLimits.headersMs) * 1000n,
      help: "How long a request's headers may take to arrive",
    }),
    "request-timeout": setting({
      kind: duration,
      default: BigInt(defaultLimits.requestMs) * 1000n,
      help: "How long a whole request may take to arrive",
    }),
    "memory-limit": optional({
      kind: bytes,
      unset: "what the machine and the control group allow",
      help: "Memory that the process keeps within, at least 256 MB",
      check: (value) => checkMemoryLimit(value),
    }),
    "body-pause-timeout": setting({
      kind: duration,
      default: BigInt(defaultLimits.stallMs) * 1000n,
      help: "How long a client may pause within a request's body",
    }),
    "max-connections": setting({
      kind: count(1),
      default: defaultLimits.connections,
      help:
        "Connections at a time, fewer where the process may open fewer than twice as many files; " +
        "a new one closes the longest idle one, and gets 503 when none is idle",
    }),
    "answer-idle-timeout": setting({
      kind: duration,
      default: BigInt(defaultQuerySettings.idleMs) * 1000n,
      help: "How long a client may read nothing of its answer before it is cut off",
    }),
    "slow-query-threshold": setting({
      kind: duration,
      default: 10_000_000n,
      help: "Queries that take longer are logged; 0s: none",
    }),
    "log-level": setting({
      kind: oneOf("error", "warn", "info", "debug"),
      default: "info",
      help: "What is worth a line in the log",
    }),
    "log-format": setting({
      kind: oneOf("auto", "text", "json"),
      default: "auto",
      help: "How lines of the log look; auto: text on a terminal, json elsewhere",
    }),
    "access-log": optional({ kind: path, unset: "none", help: "File that gets a line per request" }),
    "access-log-format": setting({
      kind: oneOf("json", "text"),
      default: "json",
      help: "How these lines look",
    }),
  },
  ignored: {},
} as const satisfies Section;

function checkMemoryLimit(bytes: number): void {
  if (bytes < leastMemory) throw new CensusError("bad-input", `memory-limit must be ${leastMemory} bytes or more`);
}
