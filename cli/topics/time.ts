import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** Which clock applies where, and how to write timestamps. */
export const time: Topic = {
  name: "time",
  page: {
    summary: "The clock for node state, expiry and retention, and timestamps",
    sections: [
      {
        title: "CLOCKS",
        blocks: [
          text(
            "One clock decides which nodes have expired, how long reports and events are kept, and the value of a missing timestamp.",
          ),
          terms(
            ["server", "The clock of the machine."],
            [
              "archive",
              "Fixed at the time of the export. Nothing expires: an old export shows all its data, events included.",
            ],
            ["data directory", "Without a server: the clock of the machine."],
            [
              "--now TIME",
              "Fixes the clock of an archive, a data directory or a server that is being started. A running server keeps its own.",
            ],
          ),
          code(
            "census serve --memory --now 2026-11-20T12:00:00Z",
            "census query 'nodes{}' --archive export.tgz --now 2026-11-20T12:00:00Z",
          ),
        ],
      },
      {
        title: "TIMESTAMPS",
        blocks: [
          text(
            "Write timestamps in ISO 8601 with Z or an offset: 2026-11-20T12:00:00Z. Results have milliseconds and Z. In queries, a timestamp is a string, compared with <, <=, >, >= and =.",
          ),
          text(
            "Also accepted: 2026, 2026-11, 2026-11-20, 2026-11-20 12:00:00, +0100 as an offset, basic, week and ordinal dates, RFC 822. A time without an offset is UTC. Seconds since the epoch are rejected.",
          ),
          code(`census query 'reports[certname, end_time]{ end_time > "2026-11-19T00:00:00Z" }'`),
        ],
      },
    ],
  },
};
