import { days } from "#storage/time.ts";
import { duration, minutes } from "../kinds/durations.ts";
import { count, list, oneOf, truth } from "../kinds/simple.ts";
import { because, following, optional, type Section, setting } from "../setting.ts";

const DAY = 86_400_000;

function interval(what: string): ReturnType<typeof following<number>> {
  return following({ kind: minutes, like: "gc-interval", help: `How often ${what}` });
}

/** `[database]` (`reference/config.md §4`, `reference/lifecycle.md §5`). */
export const database = {
  about: "How long things are kept, and which facts are.",
  settings: {
    "node-ttl": setting({
      kind: duration,
      default: days(7),
      help: "Nodes that nothing is heard of for so long expire; 0s: never",
    }),
    "node-purge-ttl": setting({
      kind: duration,
      default: days(14),
      help: "Nodes that are expired or deactivated for so long are deleted; 0s: never",
    }),
    "node-purge-gc-batch-limit": setting({
      kind: count(0),
      default: 25,
      help: "Nodes that one run deletes at most; 0: all that are due",
    }),
    "report-ttl": setting({
      kind: duration,
      default: days(14),
      help: "Reports of days before this are deleted, but not a node's latest; 0s: of days before today",
    }),
    "resource-events-ttl": following({
      kind: duration,
      like: "report-ttl",
      help: "Events of days before this are deleted; not longer than report-ttl; 0s: none are stored",
    }),
    "gc-interval": setting({
      kind: minutes,
      default: 60 * 60_000,
      help: "How often what is too old is looked for; 0: never, whatever the settings of single tasks say",
    }),
    "gc-interval-expire-nodes": interval("nodes are expired"),
    "gc-interval-purge-nodes": interval("nodes are deleted"),
    "gc-interval-purge-reports": interval("reports and events are deleted"),
    "gc-interval-packages": interval("packages that no node has are deleted"),
    "gc-interval-catalogs": interval("what no catalog holds any more is deleted"),
    "gc-interval-fact-paths": following({
      kind: minutes,
      like: "gc-interval",
      derive: (followed) => (followed === 0 ? 0 : Math.max(DAY, followed)),
      said: "the longer of 1440 and gc-interval",
      help: "How often fact paths that no node has are deleted",
    }),
    "facts-blocklist": optional({
      kind: list,
      aliases: ["facts-blacklist"],
      unset: "every fact is stored",
      help: "Facts that are not stored",
    }),
    "facts-blocklist-type": setting({
      kind: oneOf("literal", "regex"),
      aliases: ["facts-blacklist-type"],
      default: "literal",
      help: "Whether facts-blocklist holds names, or regular expressions for whole names",
    }),
    migrate: setting({
      kind: truth,
      default: true,
      help: "Whether a store of an older version may be brought up to date when it is opened",
    }),
  },
  ignored: {
    ...because(
      "the database is inside Census: there is nothing to connect to",
      "subname",
      "user",
      "username",
      "password",
      "migrator-username",
      "migrator-password",
      "connection-username",
      "connection-migrator-username",
    ),
    ...because(
      "the database is inside Census: there is no pool of connections",
      "read-only?",
      "maximum-pool-size",
      "conn-max-age",
      "conn-lifetime",
      "connection-timeout",
      "partition-conn-min",
      "partition-conn-max",
      "partition-count",
    ),
    "schema-check-interval": "no other process can change the schema",
    ...because("without meaning here", "stats", "log-statements", "syntax_pgs"),
    ...because(
      "retired by PuppetDB as well",
      "classname",
      "subprotocol",
      "conn-keep-alive",
      "log-slow-statements",
      "statements-cache-size",
    ),
  },
} as const satisfies Section;
