import { seconds } from "../kinds/durations.ts";
import { path, truth } from "../kinds/simple.ts";
import { optional, type Section, setting } from "../setting.ts";

/** `[puppetdb]` (`reference/config.md §3`). */
export const puppetdb = {
  about: "Which clients are accepted, and how queries are answered.",
  settings: {
    "certificate-allowlist": optional({
      kind: path,
      aliases: ["certificate-whitelist"],
      unset: "all certificates of the CA",
      help: "File with one certificate name per line; only these clients may use /pdb over TLS",
    }),
    "add-agent-report-filter": setting({
      kind: truth,
      default: true,
      help: "Return only agent reports unless a query mentions the type of reports",
    }),
    "log-queries": setting({ kind: truth, default: false, help: "Log every query with its SQL" }),
    "query-timeout-default": setting({
      kind: seconds,
      default: 600_000,
      help: "Time limit of queries that set no timeout; 0: none",
    }),
    "query-timeout-max": setting({
      kind: seconds,
      default: 0,
      help: "Maximum timeout that a query may set; 0: no limit",
    }),
  },
  ignored: { "disable-update-checking": "Census does not check for updates" },
} as const satisfies Section;
