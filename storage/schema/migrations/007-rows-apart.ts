/**
 * Separates long rows of `reports`, `events`, `resources`, `resource_parameters` and `catalog_inputs` from each other,
 * as for long facts (`006-facts-apart.ts`): 30 reports with 5 MB of logs each could not be read within 512 MB. A row is
 * followed by empty rows (spacers), one for 16 kB of its texts (`storage/ingest/write/spaced-rows.ts`). The spacers of
 * report 7 have the id -7, those of its events the report id -7, and so on; all other ids are above 0, and queries have
 * that condition where no join implies it.
 *
 * The tables do not change, and rows that are stored already stay where they are. The version prevents earlier
 * programs, which would return spacers, from opening the store.
 */
export const rowsApart = {
  version: 7,
  name: "long rows apart from each other",
  statements: [],
} as const;
