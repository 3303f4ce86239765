import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** The sources that a query can use. */
export const sources: Topic = {
  name: "sources",
  page: {
    summary: "What to query: a server, an archive or a data directory",
    sections: [
      {
        title: "SOURCES",
        blocks: [
          terms(
            [
              "--url URL",
              "A running server, Census or PuppetDB; --urls takes several and uses the first that responds.",
            ],
            [
              "--archive FILE",
              "An exported archive, or the directory it was unpacked to. The clock is fixed at the time of the export.",
            ],
            [
              "--data DIR",
              "A data directory, read-only. Other readers may have it open too; if a server has it open, query that server.",
            ],
          ),
          text("Only one of them can be used."),
          code(
            "census query 'nodes{}' --url http://127.0.0.1:8080",
            "census query 'nodes{}' --archive export.tgz",
            "census query 'nodes{}' --data /var/lib/census",
            "census nodes export.tgz",
          ),
          text(
            "An existing archive or data directory may be typed without its option. Where help names the source as an argument, a URL may be typed too.",
          ),
        ],
      },
      {
        title: "NAMES",
        blocks: [
          text(
            "A certname can be given without its domain, and a report by the first 6 digits of its hash or more, if only one in the source begins like that.",
          ),
          text(
            "A command that would list nothing checks its names. If the source does not have a certname, fact, class, environment, package, resource or report of that name, the command ends with exit code 2 and prints the nearest names.",
          ),
          text(
            "A query in PQL, AST or SQL is answered as it is, and may look for what is not there: if it has no rows, census query, sql, shell, check, inventory and watch print the nearest names for those that it compares fields with, and the exit code stays the same.",
          ),
          code(
            "census facts berth-0024 os.release --archive export.tgz",
            "census events bd3d8a11 --archive export.tgz",
          ),
        ],
      },
      {
        title: "WITHOUT A SOURCE",
        blocks: [
          text(
            "The archive or data directory in CENSUS_ARCHIVE, or the server in CENSUS_URL, else the service of this machine, at the address where its configuration lets it listen (--config, else CENSUS_CONFIG, else /etc/census/conf.d), else the one in the configuration of puppetdb_cli (--client-config, ~/.puppetlabs/client-tools/puppetdb.conf or the same in /etc/puppetlabs), else http://127.0.0.1:8080.",
          ),
          text(
            "For a server with TLS: --cacert names its CA, --cert and --key the client certificate, --token a token. The configuration of puppetdb_cli can set all of them.",
          ),
        ],
      },
    ],
  },
};
