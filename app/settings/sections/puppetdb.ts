import { seconds } from "../kinds/durations.ts";
import { path, truth } from "../kinds/simple.ts";
import { optional, type Section, setting } from "../setting.ts";

/** `[puppetdb]` (`reference/config.md §3`). */
export const puppetdb = {
  about: "Who is let in, and how queries are answered.",
  settings: {
    "certificate-allowlist": optional({
      kind: path,
      aliases: ["certificate-whitelist"],
      unset: "every certificate of the authority",
      help: "File with a certificate name per line: no other client may use /pdb over TLS",
    }),
    "add-agent-report-filter": setting({
      kind: truth,
      default: true,
      help: "Answer with agents' reports only where a query says nothing of a report's type",
    }),
    "log-queries": setting({ kind: truth, default: false, help: "Log every query and the SQL it becomes" }),
    "query-timeout-default": setting({
      kind: seconds,
      default: 600_000,
      help: "Longest that a query may take which asks for no timeout; 0: as long as it likes",
    }),
    "query-timeout-max": setting({
      kind: seconds,
      default: 0,
      help: "Longest timeout that a query may ask for; 0: any",
    }),
  },
  ignored: { "disable-update-checking": "Census never asks for updates" },
} as const satisfies Section;
