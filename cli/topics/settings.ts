import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** Where a server gets its settings. */
export const settings: Topic = {
  name: "settings",
  page: {
    summary: "Settings of a server, and where they are set",
    sections: [
      {
        title: "SOURCES, LATER ONES TAKE PRECEDENCE",
        blocks: [
          terms(
            ["1. defaults", "census config lists all settings with their effective values and sources."],
            [
              "2. files",
              "--config, else CENSUS_CONFIG, else /etc/census/conf.d if it exists: an ini, conf (HOCON) or json file, or a directory of them. The conf.d of a PuppetDB can be used as it is.",
            ],
            ["3. variables", "CENSUS_JETTY_PORT is port in [jetty]."],
            ["4. options", "of census serve: --port 8080; --no-migrate disables a setting that is on."],
          ),
          text(
            "Unknown settings and invalid values are errors; all are reported together, each with its file and line. Settings of PuppetDB that Census does not need are ignored; census config lists them with the reason.",
          ),
          code(
            "census config --config /etc/puppetlabs/puppetdb/conf.d",
            "census config --check --as-user census",
            "census serve",
          ),
        ],
      },
    ],
  },
};
