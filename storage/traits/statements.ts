/**
 * Statements that count traits among two sets of nodes. Each has one text column, a JSON array; `$1` are the numbers of the
 * selected nodes, `$2` those of the others.
 */

/** The nodes, each with whether it is selected. */
const nodes = `m AS MATERIALIZED (
  SELECT unnest($1::INTEGER[]) AS node_id, true AS chosen
  UNION ALL SELECT unnest($2::INTEGER[]), false
)`;

/** Longer values of facts (characters) are no traits: nobody reads them. */
export const LONGEST_VALUE = 1024;

/**
 * `[path, path id, selected, all, value]` of each value of a fact that at least `$3` selected nodes have, of the facts whose path ids are `$4`.
 * Values are grouped by their hashes, and read for the groups that are left. Ids of paths of a past state are larger than an INTEGER.
 */
export const factValues = `WITH ${nodes},
wanted AS (SELECT unnest($4::BIGINT[]) AS path_id),
counted AS MATERIALIZED (
  SELECT path_id, min(l.rowid) AS leaf, count(*) FILTER (chosen) AS own, count(*) AS everywhere
  FROM fact_leaves l JOIN m USING (node_id) SEMI JOIN wanted USING (path_id)
  GROUP BY path_id, hash(value) HAVING count(*) FILTER (chosen) >= $3
)
SELECT concat('[', path_json, ',', c.path_id, ',', own, ',', everywhere, ',', value, ']')
FROM counted c JOIN fact_leaves l ON l.rowid = leaf JOIN fact_paths p ON p.id = c.path_id
WHERE length(value) <= ${LONGEST_VALUE}`;

/** `[path, selected, all, path id]` of each fact: how many nodes have it, with any value. A path has an id for each type of value. */
export const factPaths = `WITH ${nodes},
counted AS (
  SELECT path_id, count(*) FILTER (chosen) AS own, count(*) AS everywhere
  FROM fact_leaves JOIN m USING (node_id) WHERE path_id >= 0 GROUP BY path_id
)
SELECT concat('[', path_json, ',', own, ',', everywhere, ',', path_id, ']')
FROM counted JOIN fact_paths p ON p.id = path_id`;

/** `[path, values]`: how many different values the facts have whose path ids are `$3`. */
export const differentValues = `WITH ${nodes},
wanted AS (
  SELECT id AS path_id, path_json FROM fact_paths WHERE path_json IN (
    SELECT path_json FROM fact_paths WHERE id IN (SELECT unnest($3::BIGINT[]))
  )
)
SELECT concat('[', path_json, ',', count(DISTINCT value), ']')
FROM fact_leaves JOIN wanted USING (path_id) SEMI JOIN m USING (node_id) GROUP BY path_json`;

/** `[[title], selected, all]` of each class. */
export const classes = `WITH ${nodes},
counted AS (
  SELECT resource_id, count(*) FILTER (chosen) AS own, count(*) AS everywhere
  FROM catalog_resources JOIN m USING (node_id) WHERE type = 'Class' GROUP BY resource_id
)
SELECT concat('[[', to_json(r.title), '],', sum(own), ',', sum(everywhere), ']')
FROM counted JOIN resources r ON r.id = resource_id GROUP BY r.title`;

/** `[[name, provider], selected, all, version]` of each version of a package. */
export const packageVersions = `WITH ${nodes},
counted AS (
  SELECT package_id, count(*) FILTER (chosen) AS own, count(*) AS everywhere
  FROM node_packages JOIN m USING (node_id) GROUP BY package_id
)
SELECT concat('[[', to_json(k.name), ',', to_json(k.provider), '],', own, ',', everywhere, ',', to_json(k.version), ']')
FROM counted JOIN packages k ON k.id = package_id`;

/**
 * `[[name, provider], selected, all]` of each package: how many nodes have it, in any version. Packages are numbered, as a node's
 * versions of one are found faster by numbers than by names.
 */
export const packageNames = `WITH ${nodes},
numbered AS MATERIALIZED (SELECT id, name, provider, dense_rank() OVER (ORDER BY name, provider) AS number FROM packages),
installed AS (
  SELECT number, node_id, any_value(chosen) AS chosen
  FROM node_packages JOIN m USING (node_id) JOIN numbered ON id = package_id GROUP BY number, node_id
),
counted AS (
  SELECT number, count(*) FILTER (chosen) AS own, count(*) AS everywhere FROM installed GROUP BY number
)
SELECT concat('[[', to_json(name), ',', to_json(provider), '],', own, ',', everywhere, ']')
FROM counted JOIN (SELECT DISTINCT number, name, provider FROM numbered) USING (number)`;

/** `[[], selected, all, value]` of each value that nodes themselves have; null: none. */
function ofNodes(value: string): string {
  return `WITH ${nodes}
SELECT concat('[[],', count(*) FILTER (chosen), ',', count(*), ',', coalesce(to_json(${value})::VARCHAR, 'null'), ']')
FROM m JOIN nodes n ON n.id = m.node_id GROUP BY ${value}`;
}

/** The environment of the report counts, and without report that of the catalog or the facts. */
export const environments = ofNodes("coalesce(n.report_environment, n.catalog_environment, n.facts_environment)");

/** The server that compiled the catalog, and without catalog the one that sent the facts. */
export const producers = ofNodes("coalesce(n.catalog_producer, n.facts_producer)");
