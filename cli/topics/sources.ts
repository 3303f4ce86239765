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
              "A running server, of census or of PuppetDB; --urls names several, of which the first that answers is asked.",
            ],
            [
              "--archive FILE",
              "An exported archive, or the folder it was unpacked to. Its clock stands at the time it was made.",
            ],
            [
              "--data DIR",
              "A data directory, for reading. Others may read it too, but where a server has it open, ask that server.",
            ],
          ),
          text("They exclude each other."),
          code(
            "census query 'nodes{}' --url http://127.0.0.1:8080",
            "census query 'nodes{}' --archive export.tgz",
            "census query 'nodes{}' --data /var/lib/census",
          ),
          text(
            "Where a command takes its source as a word without an option, it is told by what it is: an address that begins with http, a folder with a store in it, else an archive.",
          ),
        ],
      },
      {
        title: "WHERE NONE IS NAMED",
        blocks: [
          text(
            "The server of CENSUS_URL, else that of puppetdb_cli's settings (--client-config, ~/.puppetlabs/client-tools/puppetdb.conf or the same below /etc/puppetlabs), else http://127.0.0.1:8080.",
          ),
          text(
            "A server that wants to know who asks is shown --cert with --key, or --token, and is believed by --cacert; the same settings may name all of them.",
          ),
        ],
      },
    ],
  },
};
