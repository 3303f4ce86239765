import { isObject, type Json, type JsonObject } from "../json.ts";

/**
 * How the engine ran a query: the response of the query API to `explain=analyze`. It has the form of PostgreSQL's
 * `EXPLAIN (ANALYZE, FORMAT JSON)`, as PuppetDB's response has, so that the same tools can read it.
 */
export interface Explanation {
  readonly "query plan": readonly [{ readonly Plan: PlanStep; readonly "Execution Time": number }];
}

/** A step of a plan; its time includes the steps that it reads its rows from. */
export interface PlanStep {
  readonly "Node Type": string;
  /** rows that the step returned */
  readonly "Actual Rows": number;
  /** of all threads together, ms */
  readonly "Actual Total Time": number;
  readonly "Actual Loops": 1;
  readonly Plans: readonly PlanStep[];
  /** details of the step, with PostgreSQL's names where PostgreSQL has them */
  readonly [detail: string]: Json | readonly PlanStep[];
}

/** PostgreSQL's names for details that the engine names differently. */
const names: Readonly<Record<string, string>> = {
  Table: "Relation Name",
  Function: "Function Name",
  Filters: "Filter",
  Conditions: "Hash Cond",
  Groups: "Group Key",
  "Order By": "Sort Key",
};

/** The estimated number of rows; it is shown as `Plan Rows`, not among the details. */
const ESTIMATE = "Estimated Cardinality";

const MS = 1000;

/**
 * Reads the profile that the engine returns for `EXPLAIN (ANALYZE, FORMAT JSON)`.
 * @returns undefined where the engine has no profile, because it answered from its statistics without running
 *   anything
 * @throws SyntaxError or TypeError when the text is not a profile: a defect
 */
export function explanationOf(profile: string): Explanation | undefined {
  const whole = JSON.parse(profile) as Json;
  if (isObject(whole) && whole["result"] === "error") return undefined;
  // The outermost step is EXPLAIN itself.
  const [explaining] = stepsOf(whole);
  const [first] = stepsOf(explaining);
  if (!isObject(whole) || first === undefined) throw new TypeError(`no profile: ${profile.slice(0, 120)}`);
  return { "query plan": [{ Plan: planStep(first), "Execution Time": Number(whole["latency"]) * MS }] };
}

/**
 * Reads what the engine returns for `EXPLAIN (FORMAT JSON)` of a statement that has no profile. The steps have
 * estimated numbers of rows and no times.
 * @param ms the time that the statement took
 * @throws SyntaxError or TypeError when the text is not a plan: a defect
 */
export function explanationOfPlan(plan: string, ms: number): Explanation {
  const whole = JSON.parse(plan) as Json;
  const [first] = Array.isArray(whole) ? whole : [];
  if (!isObject(first)) throw new TypeError(`no plan: ${plan.slice(0, 120)}`);
  return { "query plan": [{ Plan: planStep(first), "Execution Time": ms }] };
}

function planStep(step: JsonObject): PlanStep {
  const name = step["operator_name"] ?? step["name"];
  const estimated = isObject(step["extra_info"]) ? step["extra_info"][ESTIMATE] : undefined;
  const rows = Number(step["operator_cardinality"] ?? estimated ?? 0);
  return {
    "Node Type": typeof name === "string" ? name.trim() : "",
    ...(estimated === undefined ? {} : { "Plan Rows": Number(estimated) }),
    "Actual Rows": rows,
    "Actual Total Time": Number(step["cpu_time"] ?? 0) * MS,
    "Actual Loops": 1,
    ...detailsOf(step["extra_info"]),
    Plans: stepsOf(step).map(planStep),
  };
}

function detailsOf(info: Json | undefined): JsonObject {
  if (!isObject(info)) return {};
  const details = Object.entries(info).filter(([name]) => name !== ESTIMATE);
  return Object.fromEntries(
    details.map(([name, value]) => [names[name] ?? name, name === "Table" ? tableName(value) : value]),
  );
}

/** The name without database and schema, which all tables share. */
function tableName(value: Json): Json {
  return typeof value === "string" ? (value.split(".").at(-1) ?? value) : value;
}

function stepsOf(step: Json | undefined): JsonObject[] {
  const children = isObject(step) ? step["children"] : undefined;
  return Array.isArray(children) ? children.filter(isObject) : [];
}
