import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** Which clock decides what. */
export const time: Topic = {
  name: "time",
  page: {
    summary: "The clock that node state, expiry and retention go by",
    sections: [
      {
        title: "CLOCKS",
        blocks: [
          text(
            "One clock decides which nodes have expired, how long reports and events are kept, and what a missing timestamp is taken for.",
          ),
          terms(
            ["a server", "goes by the machine's clock."],
            [
              "an archive",
              "stands at the time it was made, and nothing in it is too old: an old export shows all that it holds, events included.",
            ],
            ["a data directory", "that is asked without a server goes by the machine's clock."],
            [
              "--now ISO",
              "fixes the clock of an archive, a data directory or a server that is being started. A server that runs keeps its own.",
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
            "A point in time is written as ISO 8601 with its offset or Z: 2026-11-20T12:00:00Z. Answers have milliseconds and Z. In queries, timestamps are texts, compared with <, <=, >, >= and =. Other spellings are read as well: 2026, 2026-11, 2026-11-20, 2026-11-20 12:00:00, +0100 for an offset, basic, week and ordinal dates, RFC 822; without an offset, a time is in UTC. Seconds since the epoch are refused.",
          ),
          code(`census query 'reports[certname, end_time]{ end_time > "2026-11-19T00:00:00Z" }'`),
        ],
      },
    ],
  },
};
