import { CensusError } from "#storage/errors.ts";
import { isNumber, isObject, type Json, type JsonObject, numberText, stringifyJson } from "#storage/json.ts";
import { rowObject } from "#storage/output/cells.ts";
import type { Rows } from "../output/rows.ts";

/** The cost of one step of a plan, without the steps below it. */
export interface StepCost {
  /** Indented by depth: a step reads the rows of the deeper steps below it. */
  readonly operator: string;
  /** Tables, conditions, keys. */
  readonly of: string;
  /** that came out of it */
  readonly rows: number;
  /** of all threads together */
  readonly ms: number;
  /** of the whole query, in percent */
  readonly share: number;
}

/** Details of a step, in display order. The names are PostgreSQL's; our plans use them too. */
const DETAILS = [
  "Relation Name",
  "Index Name",
  "Function Name",
  "Join Type",
  "Index Cond",
  "Hash Cond",
  "Merge Cond",
  "Recheck Cond",
  "Join Filter",
  "Filter",
  "Group Key",
  "Sort Key",
];

/** Characters of a step's details that are shown. */
const LONGEST = 120;

/**
 * The rows of a table of costs, one for each step and one for the whole query, from a response to `explain=analyze`,
 * ours or the peer's.
 * @throws CensusError "bad-file" for a response without a plan
 */
export async function* costs(answer: Rows): AsyncGenerator<string[]> {
  const texts: string[] = [];
  for await (const batch of answer) texts.push(...batch);
  const plan = planOf(texts.map(rowObject)[0]?.["query plan"]);
  yield costsOf(plan).map((cost) => JSON.stringify(cost));
}

/** The costs of a plan's steps, parents first, with their sum as the last row. */
export function costsOf(plan: JsonObject): StepCost[] {
  const steps = [...walk(plan, 0)];
  const total = steps.reduce((sum, { ms }) => sum + ms, 0);
  const whole = { operator: "all", of: "", rows: rowCount(plan), ms: total };
  return [...steps, whole].map(({ operator, of, rows, ms }) => ({
    operator,
    of,
    rows,
    ms: rounded(ms, 3),
    share: rounded(total === 0 ? 0 : (ms / total) * 100, 1),
  }));
}

function planOf(plans: Json | undefined): JsonObject {
  const [first] = Array.isArray(plans) ? plans : [];
  const plan = isObject(first) ? first["Plan"] : undefined;
  if (isObject(plan)) return plan;
  throw new CensusError("bad-file", "the response contains no query plan");
}

function* walk(step: JsonObject, depth: number): Generator<Omit<StepCost, "share">> {
  const below = stepsOf(step);
  const ms = Math.max(
    0,
    below.reduce((rest, next) => rest - totalOf(next), totalOf(step)),
  );
  const operator = `${"  ".repeat(depth)}${detailText(step["Node Type"])}`;
  yield { operator, of: detailsOf(step), rows: rowCount(step), ms };
  for (const next of below) yield* walk(next, depth + 1);
}

function stepsOf(step: JsonObject): JsonObject[] {
  const plans = step["Plans"];
  return Array.isArray(plans) ? plans.filter(isObject) : [];
}

/** PostgreSQL reports the mean over all loops of a step. */
function totalOf(step: JsonObject): number {
  return numberOf(step["Actual Total Time"]) * loopsOf(step);
}

function rowCount(step: JsonObject): number {
  return Math.round(numberOf(step["Actual Rows"]) * loopsOf(step));
}

function loopsOf(step: JsonObject): number {
  return step["Actual Loops"] === undefined ? 1 : numberOf(step["Actual Loops"]);
}

function numberOf(value: Json | undefined): number {
  return value !== undefined && isNumber(value) ? Number(numberText(value)) : 0;
}

function detailsOf(step: JsonObject): string {
  const details = DETAILS.flatMap((name) => {
    const detail = detailText(step[name]);
    return detail === "" ? [] : [detail];
  });
  const text = details.join("; ").replaceAll(/\s+/g, " ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function detailText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(detailText).join(", ");
  return typeof value === "string" ? value : stringifyJson(value);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
