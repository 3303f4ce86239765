import { isNumber, numberText, stringifyJson } from "#storage/json.ts";
import { fieldElsewhere } from "../pql/related-field.ts";
import { and, literal, or } from "../pql/text.ts";
import { stateCondition, stateKeys } from "../state/states.ts";
import type { Filter, FilterValue } from "./filters.ts";

/** What the filters apply to. */
export interface FilteredEntity {
  readonly entity: string;
  /** Nodes whose latest report is older are silent. */
  readonly silentSince: Date;
}

/**
 * The filters as a condition in PQL; undefined without filters. Of one field, one of the values must be there and none of those
 * that are excluded; rows without value count as having another one.
 */
export function filterCondition(filters: readonly Filter[], entity: FilteredEntity): string | undefined {
  const fields = [...new Set(filters.map(({ field }) => field))];
  return and(
    ...fields.map((field) => {
      const own = filters.filter((filter) => filter.field === field);
      const shown = own.filter(({ excludes }) => !excludes).map((filter) => equals(filter, entity));
      const excluded = own.filter(({ excludes }) => excludes).map((filter) => differs(filter, entity));
      return and(or(...shown), ...excluded);
    }),
  );
}

function equals({ field, value }: Filter, { entity, silentSince }: FilteredEntity): string {
  if (field === "state") return stateFilter(value, entity, silentSince);
  const other = fieldElsewhere(field, entity);
  if (other === undefined) return value === null ? `${field} is null` : `${field} = ${pqlValue(value)}`;
  return value === null
    ? `!${other.entity}{ ${other.field} is not null }`
    : `${other.entity}{ ${other.field} = ${pqlValue(value)} }`;
}

function differs(filter: Filter, entity: FilteredEntity): string {
  const { field, value } = filter;
  const other = fieldElsewhere(field, entity.entity);
  const isField = field !== "state" && other === undefined;
  if (value === null) {
    return other === undefined ? `${field} is not null` : `${other.entity}{ ${other.field} is not null }`;
  }
  const condition = equals(filter, entity);
  // A comparison with null is neither true nor false, so that the opposite of a state is the rest of the nodes.
  if (field === "state") {
    return entity.entity === "nodes" ? `!(certname in nodes[certname]{ ${condition} })` : `!${condition}`;
  }
  return isField ? (or(`${field} is null`, `!(${condition})`) ?? "") : `!${condition}`;
}

function stateFilter(value: FilterValue, entity: string, silentSince: Date): string {
  const key = stateKeys.find((one) => one === value);
  // No node is in a state that does not exist.
  const condition = key === undefined ? "certname is null" : stateCondition(key, silentSince);
  return entity === "nodes" ? condition : `nodes{ ${condition} }`;
}

/** A value as PQL writes it; an array only fits `path`. */
function pqlValue(value: Exclude<FilterValue, null>): string {
  if (isNumber(value)) return pqlNumber(numberText(value));
  return Array.isArray(value) ? stringifyJson(value) : literal(value);
}

/** PQL has no exponent behind a whole number, and no whole number beyond 64 bits: both are written with a fraction. */
function pqlNumber(text: string): string {
  const whole = /^-?\d+(?=e|$)/i.exec(text)?.[0];
  if (whole === undefined) return text;
  const isInteger = whole === text && BigInt.asIntN(64, BigInt(whole)) === BigInt(whole);
  return isInteger ? text : `${whole}.0${text.slice(whole.length)}`;
}
