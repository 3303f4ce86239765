import type { ArgumentsOf } from "../option-groups.ts";
import { archiveForms, dataOption, nowOption } from "../options.ts";
import { contactOptions } from "./contact-options.ts";

/** The options for the source of a query, the same in all commands. */
export const sourceOptions = {
  archive: { type: "string", valueHint: "FILE", description: `Query an ${archiveForms}`, group: "source" },
  data: { ...dataOption, description: "Query a data directory, read-only; no server may have it open" },
  ...contactOptions,
  cache: {
    type: "boolean",
    default: true,
    description: "Cache opened archives",
    negativeDescription: "Do not use the cache of opened archives",
    group: "source",
  },
  now: { ...nowOption, description: `${nowOption.description}; for archives and data directories`, group: "source" },
} as const;

/** The same for commands that can read a past state. */
export const stateOptions = {
  ...sourceOptions,
  "as-of": {
    type: "string",
    valueHint: "TIME",
    description: "Query the state at a time, as far as changes are recorded, e.g. '2026-11-18 12:00', or 2d before now",
    group: "source",
  },
} as const;

/** The values of {@link sourceOptions} and {@link stateOptions}. */
export type SourceArguments = ArgumentsOf<typeof stateOptions>;
