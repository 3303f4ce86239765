import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** The layouts of answers. */
export const output: Topic = {
  name: "output",
  page: {
    summary: "The layouts an answer can have, and what goes to stdout and stderr",
    sections: [
      {
        title: "LAYOUTS (--output)",
        blocks: [
          terms(
            [
              "table",
              "For people, and the default on a terminal: as wide as the terminal, long cells cut. With more columns than fit, each row becomes a block of lines. In a pipe nothing is cut. The whole answer is held in memory.",
            ],
            ["json", "One array with a row per line, and the default in a pipe."],
            ["ndjson", "A JSON object per line, as long answers are best read."],
            [
              "csv",
              "A header, then a line per row, quoted as RFC 4180 says. What is nested is JSON text in its cell, null is an empty cell.",
            ],
          ),
          text(
            "json, ndjson and csv are written while rows come, in little memory. Numbers keep every digit they have in the store, however long they are.",
          ),
        ],
      },
      {
        title: "STREAMS",
        blocks: [
          text(
            "stdout gets the answer alone. The number of rows of a table, progress, warnings and errors go to stderr. Progress bars and colours are for terminals: in a pipe there are none.",
          ),
          code(
            "census query 'nodes[certname]{}' --output ndjson | jq -r .certname",
            "census query 'resources[type, count()]{ group by type }' --output csv > types.csv",
          ),
        ],
      },
    ],
  },
};
