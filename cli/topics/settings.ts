import { code, terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** How a server is told what to do. */
export const settings: Topic = {
  name: "settings",
  page: {
    summary: "Where the settings of a server come from",
    sections: [
      {
        title: "THE LATER HOLDS",
        blocks: [
          terms(
            ["1. defaults", "census config lists them all, with what holds and where it comes from."],
            [
              "2. files",
              "--config, else CENSUS_CONFIG: an ini, conf (HOCON) or json file, or a folder of them. The conf.d of a PuppetDB is read as it is.",
            ],
            ["3. variables", "CENSUS_JETTY_PORT for port of [jetty]."],
            ["4. options", "of census serve: --port 8080; --no-migrate switches off what is on."],
          ),
          text(
            "What does not exist and what has no sound value is an error; all are told together, each with its file and line. What PuppetDB knows and census has no use for is passed over, and census config says which and why.",
          ),
          code(
            "census config --config /etc/puppetlabs/puppetdb/conf.d",
            "census config --config /etc/census/conf.d --check --as-user census",
            "census serve --config /etc/census/conf.d",
          ),
        ],
      },
    ],
  },
};
