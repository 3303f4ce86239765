import { folder } from "../kinds/simple.ts";
import { because, optional, type Section } from "../setting.ts";

/** `[global]` (`reference/config.md §2`). */
export const global = {
  about:
    "Where things are kept. PuppetDB's own vardir can be named as it is: census.duckdb and queue/ then stand beside its " +
    "stockpile/, and neither program touches what is the other's.",
  settings: {
    vardir: optional({
      kind: folder,
      flag: "data",
      unset: "$XDG_DATA_HOME/census, else ~/.local/share/census",
      help: "Data directory",
    }),
  },
  ignored: {
    "logging-config": "logback is not used: see [census] log-level and log-format",
    ...because("Census never asks for updates", "product-name", "update-server"),
    "url-prefix": "retired: the API is always below /pdb",
    ...because("without meaning here", "restart-file", "catalog-hash-conflict-debugging"),
  },
} as const satisfies Section;
