import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** Exported archives, and what can be done with them. */
export const archives: Topic = {
  name: "archives",
  page: {
    summary: "Exported archives: what is read, and what to do with one",
    sections: [
      {
        title: "WHAT IS READ",
        blocks: [
          text(
            "Exports of PuppetDB and OpenVoxDB of any age: tar.gz, tar or zip, or the folder that one was unpacked to. What the file is called does not matter. Links, paths that lead outside and members without end are refused.",
          ),
        ],
      },
      {
        title: "WHAT TO DO WITH ONE",
        blocks: [
          terms(
            ["open", "Take it into memory and serve it."],
            ["query --archive", "Ask it one question, without a server."],
            [
              "import",
              "Take it into a data directory, for a server to go on with: all of it or, where a member cannot be read, nothing. With --keep-going what cannot be read is left out and listed.",
            ],
            ["anonymize", "Write it anew with names and values replaced; --preview shows what would become of it."],
          ),
          code(
            "census open export.tgz",
            `census query 'nodes[certname]{ latest_report_status = "failed" }' --archive export.tgz`,
            "census import export.tgz --data /var/lib/census",
            "census anonymize export.tgz anonymous.tgz --profile moderate",
          ),
        ],
      },
    ],
  },
};
