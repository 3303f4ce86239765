import { dottedField, fieldList, readPath } from "#storage/query/pql/path-text.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { wildcardExpression } from "#storage/query/wildcard.ts";
import { UsageError } from "../errors.ts";

/** The parts of a PQL query. */
export interface PqlParts {
  readonly entity: string;
  readonly fields: readonly string[];
  /** Combined with `and`; undefined ones are skipped. */
  readonly conditions: readonly (string | undefined)[];
  /** `group by …`, `order by …`. */
  readonly order?: readonly string[];
  readonly limit?: number | undefined;
}

/** The text of a query. */
export function pqlText({ entity, fields, conditions, order = [], limit }: PqlParts): string {
  const where = conditions.filter((condition) => condition !== undefined).join(" and ");
  const paging = [...order, ...(limit === undefined ? [] : [`limit ${limit}`])];
  const body = [where, ...paging].filter((part) => part !== "").join(" ");
  return `${entity}[${fieldList(fields)}] {${body === "" ? "" : ` ${body} `}}`;
}

/** A value typed by a user: a number or boolean if it looks like one, else a string. */
export function pqlValue(text: string): string {
  return /^(?:true|false|-?\d{1,18}(?:\.\d+)?)$/.test(text) ? text : pqlString(text);
}

/** A comparison with an optional value; undefined where there is none. */
export function equal(field: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${field} = ${pqlString(value)}`;
}

/**
 * The field of a fact or a part of one, as people type it.
 * @throws UsageError for a path with an empty part
 */
export function factField(path: string): string {
  return dottedField("facts", factPath(path));
}

/** @throws UsageError for a path with an empty part */
export function factPath(text: string): string[] {
  const path = readPath(text);
  if (path !== undefined) return path;
  throw new UsageError(
    `${JSON.stringify(text)} is not the path of a fact; write os.family, mountpoints./var, or quote a part that contains a dot: trusted."1.3.6"`,
  );
}

/** A name, or a pattern with `*` in it; undefined where there is none. */
export function matching(field: string, text: string | undefined): string | undefined {
  if (text === undefined || !text.includes("*")) return equal(field, text);
  return `${field} ~ ${pqlString(`^${wildcardExpression(text)}$`)}`;
}
