import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** What a question can be put to. */
export const sources: Topic = {
  name: "sources",
  page: {
    summary: "What a question can be put to: a server, an archive or a data directory",
    sections: [
      {
        title: "SOURCES",
        blocks: [
          terms(
            [
              "--url URL",
              "A running server, of census or of PuppetDB. Without any of these options: CENSUS_URL, else http://127.0.0.1:8080.",
            ],
            [
              "--archive FILE",
              "An exported archive, or the folder it was unpacked to. Its clock stands at the time it was made.",
            ],
            ["--data DIR", "A data directory that no server has open. Where one has it open, ask that server."],
          ),
          text("They exclude each other."),
          code(
            "census query 'nodes{}' --url http://127.0.0.1:8080",
            "census query 'nodes{}' --archive export.tgz",
            "census query 'nodes{}' --data /var/lib/census",
          ),
        ],
      },
    ],
  },
};
