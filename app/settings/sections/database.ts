import { days } from "#storage/time.ts";
import { duration, minutes } from "../kinds/durations.ts";
import { count, list, oneOf, truth } from "../kinds/simple.ts";
import { because, following, optional, type Section, setting } from "../setting.ts";

const DAY = 86_400_000;

function interval(what: string): ReturnType<typeof following<number>> {
  return following({ kind: minutes, like: "gc-interval", help: `How often to ${what}` });
}

/** `[database]` (`reference/config.md §4`, `reference/lifecycle.md §5`). */
export const database = {
  about: "How long data is kept, and which facts are stored.",
  settings: {
    "node-ttl": setting({
      kind: duration,
      default: days(7),
      help: "Expire nodes that have sent nothing for this time; 0s: never",
    }),
    "node-purge-ttl": setting({
      kind: duration,
      default: days(14),
      help: "Delete nodes that have been expired or deactivated for this time; 0s: never",
    }),
    "node-purge-gc-batch-limit": setting({
      kind: count(0),
      default: 25,
      help: "Maximum number of nodes to delete per run; 0: no limit",
    }),
    "report-ttl": setting({
      kind: duration,
      default: days(14),
      help: "Delete reports older than this, in whole days, except each node's latest; 0s: older than today",
    }),
    "resource-events-ttl": following({
      kind: duration,
      like: "report-ttl",
      help: "Delete events older than this, in whole days; at most report-ttl; 0s: store no events",
    }),
    "gc-interval": setting({
      kind: minutes,
      default: 60 * 60_000,
      help: "How often to expire and delete old data; 0: never, whatever the intervals of the single tasks",
    }),
    "gc-interval-expire-nodes": interval("expire nodes"),
    "gc-interval-purge-nodes": interval("delete nodes"),
    "gc-interval-purge-reports": interval("delete reports and events"),
    "gc-interval-packages": interval("delete packages that no node has"),
    "gc-interval-catalogs": interval("delete data that no catalog uses"),
    "gc-interval-fact-paths": following({
      kind: minutes,
      like: "gc-interval",
      derive: (followed) => (followed === 0 ? 0 : Math.max(DAY, followed)),
      said: "gc-interval, but at least 1440",
      help: "How often to delete fact paths that no node has",
    }),
    "facts-blocklist": optional({
      kind: list,
      aliases: ["facts-blacklist"],
      unset: "all facts are stored",
      help: "Facts to discard",
    }),
    "facts-blocklist-type": setting({
      kind: oneOf("literal", "regex"),
      aliases: ["facts-blacklist-type"],
      default: "literal",
      help: "Whether facts-blocklist contains names, or regular expressions that match whole names",
    }),
    migrate: setting({
      kind: truth,
      default: true,
      help: "Upgrade a store of an older version when it is opened",
    }),
  },
  ignored: {
    ...because(
      "Census has an embedded database and needs no connection",
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
      "Census has an embedded database and no connection pool",
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
    ...because("no effect in Census", "stats", "log-statements", "syntax_pgs"),
    ...because(
      "removed from PuppetDB too",
      "classname",
      "subprotocol",
      "conn-keep-alive",
      "log-slow-statements",
      "statements-cache-size",
    ),
  },
} as const satisfies Section;
