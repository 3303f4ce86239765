/**
 * Long rows of `reports`, `events`, `resources`, `resource_parameters` and `catalog_inputs` are kept apart from each other, as
 * long facts are (`006-facts-apart.ts`): 30 reports with 5 MB of logs each could not be read within 512 MB. A row is followed by
 * empty rows (spacers), one for 16 kB of its texts (`storage/ingest/write/spaced-rows.ts`). The spacers of report 7 have the
 * id -7, those of its events the report id -7, and so on; all other ids are above 0, and queries say so where no join does.
 *
 * Nothing changes in the tables: rows that are stored already stay where they are. The version keeps earlier programs, which
 * would return spacers, from opening the store.
 */
export const rowsApart = {
  version: 7,
  name: "long rows apart from each other",
  statements: [],
} as const;
