import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** The output formats. */
export const output: Topic = {
  name: "output",
  page: {
    summary: "Output formats, and what goes to stdout and stderr",
    sections: [
      {
        title: "FORMATS (--output)",
        blocks: [
          terms(
            [
              "table",
              "The default on a terminal. Fits the width of the terminal and truncates long cells. If there are too many columns, each row becomes a block of lines. In a pipe nothing is truncated. Keeps the whole result in memory.",
            ],
            ["json", "The default in a pipe. One array with one row per line."],
            ["ndjson", "One JSON object per line; best for long results."],
            [
              "csv",
              "A header, then one line per row, quoted as in RFC 4180. Nested values are JSON; null is an empty cell.",
            ],
            ["markdown", "A table in GitHub's Markdown."],
            [
              "parquet",
              "Only with --out. A column has the common type of its values: boolean, integer, number, timestamp, string; nested or mixed values are JSON. A result without rows cannot be written.",
            ],
          ),
          text(
            "json, ndjson, csv and markdown are written as rows arrive, in little memory. Numbers keep all digits that they have in the store.",
          ),
        ],
      },
      {
        title: "FILES (--out)",
        blocks: [
          text(
            "A file is written atomically: an existing file stays until the new one is complete. The extension sets the format (.json, .ndjson, .jsonl, .csv, .md, .parquet) unless --output is given; other extensions need --output.",
          ),
          code("census query 'facts{}' --archive export.tgz --out facts.parquet"),
        ],
      },
      {
        title: "STREAMS",
        blocks: [
          text(
            "Only results go to stdout. The row count of a table, progress, warnings and errors go to stderr. Progress bars and colours appear on terminals only.",
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
