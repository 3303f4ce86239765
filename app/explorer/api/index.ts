import { about } from "./about.ts";
import { archiveComparison, archiveComparisonNode } from "./archive-comparison.ts";
import { changes } from "./changes.ts";
import { deadLetters } from "./dead-letters.ts";
import { differences } from "./differences.ts";
import type { Endpoint } from "./endpoint.ts";
import { facets } from "./facets.ts";
import { histogram } from "./histogram.ts";
import { issueDetail, issues } from "./issues.ts";
import { precedingOfIssue } from "./preceding.ts";
import { rows } from "./rows.ts";
import { slowerNodes, slowestTypes } from "./run-times.ts";
import { search, searchRows } from "./search.ts";
import { effectiveSettings } from "./settings.ts";
import { site } from "./site.ts";
import { sql, sqlRows } from "./sql.ts";

/** Every endpoint of the explorer. */
export const endpoints: readonly Endpoint[] = [
  about,
  archiveComparison,
  archiveComparisonNode,
  changes,
  deadLetters,
  differences,
  facets,
  histogram,
  issues,
  issueDetail,
  precedingOfIssue,
  rows,
  slowerNodes,
  slowestTypes,
  search,
  searchRows,
  effectiveSettings,
  site,
  sql,
  sqlRows,
];
