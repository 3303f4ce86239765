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
            ["markdown", "A table as GitHub and others read it."],
            [
              "parquet",
              "For --out alone. A column has the type that all of its values have: booleans, integers, numbers, times, texts; what is nested or mixed is JSON. An answer without rows cannot be written so.",
            ],
          ),
          text(
            "json, ndjson, csv and markdown are written while rows come, in little memory. Numbers keep every digit they have in the store, however long they are.",
          ),
        ],
      },
      {
        title: "FILES (--out)",
        blocks: [
          text(
            "An answer goes to a file whole or not at all: what was there before stays until the new file is finished. The ending decides the layout (.json, .ndjson, .jsonl, .csv, .md, .parquet) unless --output does; a file with another ending needs --output.",
          ),
          code("census query 'facts{}' --archive export.tgz --out facts.parquet"),
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
