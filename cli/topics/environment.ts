import { terms, text } from "../help/page.ts";
import type { Topic } from "./topic.ts";

/** Every variable of the environment that means something. */
export const environment: Topic = {
  name: "environment",
  page: {
    summary: "Environment variables that mean something to census",
    sections: [
      {
        title: "VARIABLES",
        blocks: [
          terms(
            ["CENSUS_URL", "The server that is asked when no source is named (default http://127.0.0.1:8080)."],
            [
              "CENSUS_CONFIG",
              "What --config is when it is not given: the settings of a server. Commands that look after the service of this machine (status, backup, import, dead-letters) read /etc/census/conf.d when neither names one.",
            ],
            [
              "CENSUS_<SECTION>_<NAME>",
              "A setting, such as CENSUS_JETTY_PORT for port of [jetty]; those of [census] have no section in their name. See census help settings.",
            ],
            ["CENSUS_DEBUG", "Anything but empty: errors say where in the program they come from."],
            [
              "XDG_DATA_HOME",
              "census below it is the data directory when none is named (default ~/.local/share; on Windows LOCALAPPDATA).",
            ],
            [
              "CENSUS_CACHE_SIZE",
              "How much opened archives may take altogether, such as 500M (default 2G); 0 keeps none.",
            ],
            [
              "XDG_STATE_HOME",
              "census below it holds what was asked in census shell (default ~/.local/state; on Windows LOCALAPPDATA).",
            ],
            ["PAGER", "Shows what is longer than the screen in census shell (default less -RSF); empty: nothing does."],
            [
              "XDG_CACHE_HOME",
              "census below it keeps opened archives and what else can be made again (default ~/.cache); census cache list shows them.",
            ],
            [
              "CENSUS_NATIVE_DIR",
              "Where the packaged program unpacks the engine's library, and nowhere else (default: engine in the cache, else with the temporary files).",
            ],
            ["UV_THREADPOOL_SIZE", "Threads for reading and writing files; set by itself where it is not given."],
            ["NO_COLOR", "Anything but empty: no colours anywhere."],
            ["FORCE_COLOR", "Anything but empty and 0: colours in pipes as well. NO_COLOR is stronger."],
            ["TERM", "dumb: no colours."],
          ),
          text(
            "An empty variable is as one that is not there. An option that says the same is stronger than its variable.",
          ),
        ],
      },
    ],
  },
};
