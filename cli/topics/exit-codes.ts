import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** What the shell is told of how a run ended. */
export const exitCodes: Topic = {
  name: "exit-codes",
  page: {
    summary: "What the exit code of a run means",
    sections: [
      {
        title: "EXIT CODES",
        blocks: [
          terms(
            [
              "0",
              "Done. An answer without rows is an answer, and so is one whose reader left early (census query … | head).",
            ],
            [
              "1",
              "Failed: a file, the network, the store, a command that could only be done in part, a script of census shell.",
            ],
            ["2", "Not understood: an option, a word, a setting or a query. Nothing was done."],
            [
              "3",
              "census serve alone: the engine has given the database file up, and this process cannot open it anew. Everything acknowledged is on disk; a service manager starts the service again.",
            ],
            ["130", "Ended by Ctrl-C while it worked."],
          ),
          text(
            "census config --check ends with 0 without errors, warnings or not, with 1 when it found an error, and with 2 when the settings cannot be understood.",
          ),
          text("census verify ends with 0 when nothing is damaged, and with 1 when something is or cannot be read."),
          text(
            "With --exit-code census diff ends as diff(1) does: 0 when nothing differs, 1 when something does, 2 after any error.",
          ),
          text(
            "Whatever goes wrong is told in one line on stderr that begins with census: and says what to do instead. Answers alone go to stdout.",
          ),
        ],
      },
      {
        title: "IN SCRIPTS",
        blocks: [
          code(
            "if ! census query 'nodes[count()]{}' --output csv > count.csv; then",
            "  echo 'the inventory did not answer' >&2",
            "fi",
          ),
        ],
      },
    ],
  },
};
