import { folder } from "../kinds/simple.ts";
import { because, optional, type Section } from "../setting.ts";

/** `[global]` (`reference/config.md §2`). */
export const global = {
  about:
    "Where data is stored. The vardir of a PuppetDB can be used as it is: census.duckdb and queue/ are then next to its " +
    "stockpile/, and neither program touches the files of the other.",
  settings: {
    vardir: optional({
      kind: folder,
      flag: "data",
      unset: "$XDG_DATA_HOME/census, else ~/.local/share/census",
      help: "Data directory",
    }),
  },
  ignored: {
    "logging-config": "Census does not use logback; see [census] log-level and log-format",
    ...because("Census does not check for updates", "product-name", "update-server"),
    "url-prefix": "removed from PuppetDB too; the API is always at /pdb",
    ...because("no effect in Census", "restart-file", "catalog-hash-conflict-debugging"),
  },
} as const satisfies Section;
