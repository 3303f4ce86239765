import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** Exported archives, and the commands for them. */
export const archives: Topic = {
  name: "archives",
  page: {
    summary: "Exported archives: supported formats, and how to use one",
    sections: [
      {
        title: "FORMATS",
        blocks: [
          text(
            "Exports of PuppetDB and OpenVoxDB of any version: tar.gz, tar or zip, or the directory they were unpacked to. The format is detected from the content, not from the file name. Archives with links, with paths that lead outside, or that expand without limit are rejected.",
          ),
        ],
      },
      {
        title: "USING AN ARCHIVE",
        blocks: [
          terms(
            ["open", "Serve it over HTTP from memory."],
            ["query --archive", "Run one query, without a server."],
            [
              "import",
              "Import it into a data directory, for a server to use. If a member cannot be read, nothing is imported; with --keep-going, such members are skipped and listed.",
            ],
            ["anonymize", "Write a copy with names and values replaced; --preview shows what would be replaced."],
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
