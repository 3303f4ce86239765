import { terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** Every environment variable that the program reads. */
export const environment: Topic = {
  name: "environment",
  page: {
    summary: "Environment variables",
    sections: [
      {
        title: "VARIABLES",
        blocks: [
          terms(
            [
              "CENSUS_ARCHIVE",
              "Archive or data directory to query when no source is given; it cannot be set together with CENSUS_URL.",
            ],
            ["CENSUS_URL", "Server to use when no source is given. See census help sources."],
            ["CENSUS_TOKEN_FILE", "File with a token for servers with TLS, unless --token names another."],
            [
              "CENSUS_CONFIG",
              "Configuration of the service of this machine, to use when --config is not given (default: /etc/census/conf.d if it exists and is not empty).",
            ],
            [
              "CENSUS_<SECTION>_<NAME>",
              "A setting: CENSUS_JETTY_PORT is port in [jetty]. Settings in [census] have no section in their variable. See census help settings.",
            ],
            ["CENSUS_DEBUG", "If set, print stack traces with errors."],
            [
              "XDG_DATA_HOME",
              "Contains census/, the default data directory (default: ~/.local/share; on Windows LOCALAPPDATA).",
            ],
            [
              "XDG_CACHE_HOME",
              "Contains census/, the cache of opened archives and copied servers (default: ~/.cache). census cache list shows them.",
            ],
            [
              "XDG_STATE_HOME",
              "Contains census/, with the query history of census shell (default: ~/.local/state; on Windows LOCALAPPDATA).",
            ],
            ["CENSUS_CACHE_SIZE", "Maximum size of the cache, e.g. 500M (default: 2G); 0 disables it."],
            [
              "CENSUS_NATIVE_DIR",
              "The only directory to which the packaged program may unpack the engine's library (default: engine/ in the cache, else the temporary directory).",
            ],
            ["PAGER", "Pager for results longer than the terminal (default: less -FRX); empty: no pager."],
            ["DISPLAY, WAYLAND_DISPLAY", "census open starts a browser only where one of them is set (on Unix)."],
            ["SSH_CONNECTION", "If set, census open starts no browser."],
            ["UV_THREADPOOL_SIZE", "Number of threads for file I/O (default: chosen for the machine)."],
            ["NO_COLOR", "If set, print no colours."],
            ["FORCE_COLOR", "If set and not 0, print colours in pipes too. NO_COLOR takes precedence."],
            ["TERM", "dumb: print no colours, and use no pager unless PAGER is set."],
            [
              "LC_ALL, LC_CTYPE, LANG",
              "The first that is set is the locale. If it is not UTF-8, the pager is told that the text is.",
            ],
          ),
          text("An empty variable counts as not set. Options take precedence over variables."),
        ],
      },
    ],
  },
};
