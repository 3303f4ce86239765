import type { Statement } from "../engine/statements.ts";

/**
 * One row for each type, title and parameters that resources of active nodes have, with how many of them: the rows of
 * `resources[type, title, parameters, count()] { group by type, title, parameters }`, but only where each word may occur in
 * them, in upper or lower case, and a word in the parameters. The texts are searched where each is stored once, which no
 * query can do.
 * @param words texts that are written alike in JSON
 */
export function resourcesWithTexts(words: readonly string[]): Statement {
  const values = words.map((word) => word.toLowerCase());
  if (values.length === 0) throw new Error("no words");
  const inParameters = values.map((_, index) => `contains(parameters_lower, $${index + 1})`);
  const anywhere = inParameters.map(
    (condition, index) =>
      `(${condition} OR contains(lower(type), $${index + 1}) OR contains(lower(title), $${index + 1}))`,
  );
  const where = [`(${inParameters.join(" OR ")})`, ...anywhere].join(" AND ");
  return {
    sql: `WITH found AS MATERIALIZED (
        SELECT id, type, title, parameters FROM (SELECT *, lower(parameters) AS parameters_lower FROM resources) WHERE ${where}
      )
      SELECT concat('{"type":', to_json(f.type), ',"title":', to_json(f.title), ',"parameters":', f.parameters,
        ',"count":', count(*), '}')
      FROM found f JOIN catalog_resources c ON c.resource_id = f.id JOIN nodes n ON n.id = c.node_id
      WHERE n.deactivated IS NULL AND n.expired IS NULL
      GROUP BY f.type, f.title, f.parameters`,
    values,
  };
}
