import { isObject, type Json, type JsonObject } from "../json.ts";

/**
 * How the engine carried a query out: what the query API answers with `explain=analyze`. In the words of PostgreSQL's
 * `EXPLAIN (ANALYZE, FORMAT JSON)`, which is what the peer answers with, so that whatever reads those reads these.
 */
export interface Explanation {
  readonly "query plan": readonly [{ readonly Plan: PlanStep; readonly "Execution Time": number }];
}

/** A step of a plan: what it took, the steps that it takes its rows from included. */
export interface PlanStep {
  readonly "Node Type": string;
  /** rows that came out of it */
  readonly "Actual Rows": number;
  /** of all threads together, ms */
  readonly "Actual Total Time": number;
  readonly "Actual Loops": 1;
  readonly Plans: readonly PlanStep[];
  /** what it works on and by, under PostgreSQL's names where it has one */
  readonly [detail: string]: Json | readonly PlanStep[];
}

/** What the engine calls what PostgreSQL has another name for. */
const names: Readonly<Record<string, string>> = {
  Table: "Relation Name",
  Function: "Function Name",
  Filters: "Filter",
  Conditions: "Hash Cond",
  Groups: "Group Key",
  "Order By": "Sort Key",
};

/** How many rows a step was thought to have, which stands elsewhere. */
const ESTIMATE = "Estimated Cardinality";

const MS = 1000;

/**
 * Reads the profile that the engine's `EXPLAIN (ANALYZE, FORMAT JSON)` answers with.
 * @returns undefined where the engine has none: it knew the answer from its statistics, and carried nothing out
 * @throws SyntaxError or TypeError when it is no profile: a defect
 */
export function explanationOf(profile: string): Explanation | undefined {
  const whole = JSON.parse(profile) as Json;
  if (isObject(whole) && whole["result"] === "error") return undefined;
  // The outermost step is the explaining itself.
  const [explaining] = stepsOf(whole);
  const [first] = stepsOf(explaining);
  if (!isObject(whole) || first === undefined) throw new TypeError(`no profile: ${profile.slice(0, 120)}`);
  return { "query plan": [{ Plan: planStep(first), "Execution Time": Number(whole["latency"]) * MS }] };
}

/**
 * Reads what the engine's `EXPLAIN (FORMAT JSON)` answers for a statement that it has no profile of: its steps return
 * what they were planned to return, and take no time.
 * @param ms that the statement took
 * @throws SyntaxError or TypeError when it is no plan: a defect
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
  const kept = Object.entries(info).filter(([name]) => name !== ESTIMATE);
  return Object.fromEntries(
    kept.map(([name, value]) => [names[name] ?? name, name === "Table" ? tableName(value) : value]),
  );
}

/** Without database and schema, which are the same for all. */
function tableName(value: Json): Json {
  return typeof value === "string" ? (value.split(".").at(-1) ?? value) : value;
}

function stepsOf(step: Json | undefined): JsonObject[] {
  const children = isObject(step) ? step["children"] : undefined;
  return Array.isArray(children) ? children.filter(isObject) : [];
}
