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
              "The default on a terminal, laid out for its width (see TABLES). In a pipe it has borders, and every value in full. Keeps the whole result in memory.",
            ],
            ["json", "The default in a pipe. One array with one row per line."],
            ["ndjson", "One JSON object per line; best for long results."],
            [
              "csv",
              "A header, then one line per row, quoted as in RFC 4180. Nested values are JSON; null is an empty cell.",
            ],
            ["csv-safe", "The same for a spreadsheet: cells that it would read as a formula begin with '."],
            [
              "tsv",
              "Values between tabs, for cut and awk: a tab, a line break or a backslash in a value is \\t, \\n or \\\\.",
            ],
            ["names", "The first value of each row on a line of its own, for xargs and loops."],
            ["markdown", "A table in GitHub's Markdown."],
            ["html", "One page to send, without scripts; it opens offline."],
            [
              "parquet",
              "Only with --out. A column has the common type of its values: boolean, integer, number, timestamp, string; nested or mixed values are JSON. A result without rows cannot be written.",
            ],
          ),
          text(
            "All but table, html and parquet are written as rows arrive, in little memory. Numbers keep all digits that they have in the store.",
          ),
        ],
      },
      {
        title: "TABLES",
        blocks: [
          text("On a terminal, a table shows what matters most in the width that there is:"),
          terms(
            ["above the table", "Columns with the same value in all rows, and the names of columns without any value."],
            [
              "cells",
              "Wrap to two lines before they are cut, long words in their middle first; the last words of a long text stay. Hashes have 8 digits, files no folder of their environment. A message without space beside the other columns is below its row, with the reason of a failure first.",
            ],
            [
              "times",
              "Are UTC. With enough space the age is beside it, with little the age is alone; it is relative to the present time of the source: of an archive, the time of the export.",
            ],
            [
              "states",
              "Have a sign and a colour: ✖ failed, ⊗ hidden failure, ◆ corrective, ▲ changed, ◐ pending (noop), ○ unchanged, ◷ silent, □ skipped or never reported.",
            ],
            [
              "below the table",
              "The names of columns for which there is no space. --wide shows all columns and every value in full.",
            ],
          ),
          text(
            "If the most important columns do not fit side by side, each row becomes a block of lines. With --limit, the number of rows is followed by how many there are without it.",
          ),
          text(
            "A result that is longer than the terminal is shown in a pager: $PAGER, else less. --no-pager shows it at once.",
          ),
          code(
            "census events --archive export.tgz",
            "census query 'reports{}' --order-by 'end_time desc' --limit 20 --wide --archive export.tgz",
          ),
        ],
      },
      {
        title: "FILES (--out)",
        blocks: [
          text(
            "A file is written atomically: an existing file stays until the new one is complete. The extension sets the format (.json, .ndjson, .jsonl, .csv, .md, .html, .parquet) unless --output is given; other extensions need --output.",
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
