import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** The exit codes of all commands. */
export const exitCodes: Topic = {
  name: "exit-codes",
  page: {
    summary: "Exit codes",
    sections: [
      {
        title: "EXIT CODES",
        blocks: [
          terms(
            [
              "0",
              "Success. A result without rows is a success, also of a query with a name that the source does not have (a hint is printed), and so is output that the reader closed early (census query … | head).",
            ],
            [
              "1",
              "Failure: a file, the network, the store, a command that was only done in part, a script of census shell.",
            ],
            [
              "2",
              "Usage error: an invalid option, argument, setting or query, or a name in arguments or options that the source does not have. Nothing was done.",
            ],
            [
              "3",
              "census serve only: the engine has closed the database file and this process cannot reopen it. All acknowledged commands are on disk; a service manager restarts the service.",
            ],
            ["130", "Interrupted by Ctrl-C."],
          ),
          text(
            "census config --check exits with 0 if there are no errors (warnings are allowed), with 1 on errors, and with 2 if the settings cannot be read.",
          ),
          text(
            "census self-check exits with 0 if it finds no errors, else with 1. census verify exits with 0 if nothing is damaged, and with 1 if something is damaged or cannot be read.",
          ),
          text(
            "census check exits with 1 when a check of the severity error fails, and with 2 when its file is wrong.",
          ),
          text(
            "With --exit-code, census diff exits like diff(1): 0 without differences, 1 with differences, 2 on errors.",
          ),
          text(
            "Every error is one line on stderr that starts with census: and says what to do. Only results go to stdout.",
          ),
        ],
      },
      {
        title: "IN SCRIPTS",
        blocks: [
          code(
            "if ! census query 'nodes[count()]{}' --output csv > count.csv; then",
            "  echo 'the inventory is not available' >&2",
            "fi",
          ),
        ],
      },
    ],
  },
};
