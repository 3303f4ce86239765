import { outcomeKeys, outcomeTest } from "./node-state.ts";

/** SQL of the outcome of a run. @param report the alias of `reports` */
export function outcomeSql(report: string): string {
  const cases = outcomeKeys.map((key) => {
    const test = outcomeTest(key);
    if (test === undefined) return `ELSE '${key}'`;
    const { field, value } = test;
    return `WHEN ${report}.${field} = ${typeof value === "string" ? `'${value}'` : value} THEN '${key}'`;
  });
  return `CASE ${cases.join(" ")} END`;
}
