import { defaultCommandSettings } from "../../commands/settings.ts";
import { defaultLimits } from "../../listeners/limits.ts";
import { duration } from "../kinds/durations.ts";
import { bytes, list, oneOf, path, truth } from "../kinds/simple.ts";
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
    "query-body-max-size": setting({
      kind: bytes,
      default: 64 * 1024 * 1024,
      help: "Largest body of a query, unpacked",
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
