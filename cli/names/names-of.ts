import { CensusError } from "#storage/errors.ts";
import { views } from "#storage/sql/views.ts";
import { astOrPql } from "../sources/query-text.ts";
import { namesOfQuery } from "./of-query.ts";
import { namesOfSql } from "./of-sql.ts";
import type { UsedName } from "./used-name.ts";

/** A query as text. */
export interface QueryText {
  readonly text: string;
  readonly isSql: boolean;
}

const viewNames: readonly string[] = views.map(({ name }) => name);

/** The names in a query; none where only the server understands it. */
export function namesOf({ text, isSql }: QueryText): UsedName[] {
  if (isSql) return namesOfSql(text, viewNames);
  try {
    return namesOfQuery(astOrPql(text).query);
  } catch (error) {
    if (error instanceof CensusError) return [];
    throw error;
  }
}
