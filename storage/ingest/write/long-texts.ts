import type { LongTexts } from "../../schema/long-texts.ts";
import { factSpacers } from "./fact-tables.ts";
import { PER_SPACER } from "./spaced-rows.ts";

const spaced = (table: string, id: string): string =>
  `SELECT -${id} AS id, count(*)::DOUBLE * ${PER_SPACER} AS characters FROM ${table} WHERE ${id} < 0 GROUP BY ALL`;

/**
 * SQL of a lower bound of the characters of a node's long texts, of a report's for `reports` and `events`: rows `id`,
 * `characters` of those that have any. It counts spacers, so that no text is read.
 */
export const longTextSizes: Readonly<Record<LongTexts, string>> = {
  long_facts: factSpacers("long_facts"),
  steady_leaves: factSpacers("steady_leaves"),
  catalog_inputs: spaced("catalog_inputs", "node_id"),
  resources: `SELECT c.node_id AS id, sum(s.characters) AS characters
    FROM catalog_resources c JOIN (${spaced("resources", "id")}) s ON s.id = c.resource_id GROUP BY ALL`,
  reports: spaced("reports", "id"),
  events: spaced("events", "report_id"),
};
