import { isObject, type Json, type JsonObject } from "#storage/json.ts";

/** A step of a plan, without the steps below it. */
export interface PlanStep {
  readonly depth: number;
  readonly operator: string;
  /** Tables, conditions, keys. */
  readonly of: string;
  /** Rows that came out of it. */
  readonly rows: number;
  /** Of all threads together, ms. */
  readonly ms: number;
}

/** Details of a step in the order shown; the names are PostgreSQL's. */
const details = ["Relation Name", "Function Name", "Join Type", "Hash Cond", "Filter", "Group Key", "Sort Key"];

/** The steps of what `explain=analyze` answers, each before the ones that it takes its rows from. */
export function planSteps(answer: Json): PlanStep[] {
  const [first] = Array.isArray(answer) ? answer : [];
  const plans = isObject(first) ? first["query plan"] : undefined;
  const [outer] = Array.isArray(plans) ? plans : [];
  const plan = isObject(outer) ? outer["Plan"] : undefined;
  return isObject(plan) ? [...walk(plan, 0)] : [];
}

function* walk(step: JsonObject, depth: number): Generator<PlanStep> {
  const below = Array.isArray(step["Plans"]) ? step["Plans"].filter((one) => isObject(one)) : [];
  const own =
    numberOf(step["Actual Total Time"]) - below.reduce((sum, one) => sum + numberOf(one["Actual Total Time"]), 0);
  yield {
    depth,
    operator: typeof step["Node Type"] === "string" ? step["Node Type"] : "",
    of: details.flatMap((name) => (step[name] === undefined ? [] : [detailText(step[name])])).join(" · "),
    rows: numberOf(step["Actual Rows"]),
    ms: Math.max(0, own),
  };
  for (const one of below) yield* walk(one, depth + 1);
}

function numberOf(value: Json | undefined): number {
  return typeof value === "number" ? value : 0;
}

function detailText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
