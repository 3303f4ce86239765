import type { DateField } from "./to-char/fields.ts";
import { readMask } from "./to-char/mask.ts";
import type { MaskField } from "./to-char/mask.ts";

/**
 * A DuckDB expression for the text of PostgreSQL's `to_char(timestamp, mask)` in UTC, for `to_string`
 * (`reference/query.md` §6; the masks are those of PostgreSQL's manual, "Data Type Formatting Functions"). Names are
 * English. The result is null for a null timestamp and for an empty mask.
 * @param timestampSql an expression of type TIMESTAMP, in UTC; it is repeated for every field of the mask, so it must
 *   not contain positional placeholders
 * @param literal turns text of the mask into SQL: a quoted literal or a numbered placeholder
 */
export function toCharSql(mask: string, timestampSql: string, literal: (text: string) => string): string {
  const parts = readMask(mask).map((part) => (typeof part === "string" ? literal(part) : fieldSql(part, timestampSql)));
  if (parts.length === 0) return "NULL::VARCHAR";
  return `CASE WHEN ${timestampSql} IS NOT NULL THEN concat(${parts.join(", ")}) END`;
}

function fieldSql(part: MaskField, timestampSql: string): string {
  const text = part.field.kind === "number" ? numberSql(part.field, part, timestampSql) : textSql(part, timestampSql);
  return part.field.ordinal && part.ordinal ? ordinalSql(text, part.ordinal) : text;
}

function textSql({ field, fill, translated }: MaskField, t: string): string {
  if (field.kind === "text" && field.short && fill) return field.short(t);
  // A translated name is never padded, and English is the only translation.
  return field.width > 0 && !fill && !translated ? `rpad(${field.sql(t)}, ${field.width}, ' ')` : field.sql(t);
}

function numberSql(field: DateField & { kind: "number" }, { fill }: MaskField, t: string): string {
  const width = fill && !field.fixed ? 1 : field.width;
  const value = field.sql(t);
  const plain = `printf('%0${width}d', ${value})`;
  return field.signed ? `CASE WHEN ${value} < 0 THEN printf('%0${width + 1}d', ${value}) ELSE ${plain} END` : plain;
}

/** The number with its English ending; 11, 12 and 13 (and 10 to 19 of every hundred) end in "th". */
function ordinalSql(text: string, style: "TH" | "th"): string {
  const [st, nd, rd, th] = ["st", "nd", "rd", "th"].map((end) => (style === "TH" ? end.toUpperCase() : end));
  const ending =
    `CASE WHEN (${text}) LIKE '%1_' THEN '${th}' WHEN (${text}) LIKE '%1' THEN '${st}' ` +
    `WHEN (${text}) LIKE '%2' THEN '${nd}' WHEN (${text}) LIKE '%3' THEN '${rd}' ELSE '${th}' END`;
  return `((${text}) || ${ending})`;
}
