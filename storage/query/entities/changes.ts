/** The recorded changes of nodes (`storage/schema/migrations/008-history.ts`): what was before, what after, and until when. */
import { certnameRelationships, type Entity, type Field, field, nodeLookup, required } from "./entity.ts";
import { alias, type FieldSql, sql, type SqlExpression, stored, written } from "./sql.ts";
import { anyOf, choice, json, jsonObject, jsonOrNull, jsonText, plainOrNull } from "./written.ts";
import { duckdb } from "../dialect/duckdb.ts";

const h = alias("h");

/** When the same changed again; rows of a node are in the order of time. */
function nextChange(of: string): SqlExpression {
  return sql`lead(changed) OVER (PARTITION BY node_id, ${of} ORDER BY changed, ${rowNumber}) AS until`;
}

const rowNumber = written(() => duckdb.tables.rowNumber());

/** The transaction of the run that sent facts: of the report that was being made at that time. */
const runTransaction = sql`(SELECT ${anyOf("r.transaction_uuid")} FROM ${stored("reports")} r
  WHERE r.node_id = ${h("node_id")} AND ${h("changed")} BETWEEN r.start_time AND r.end_time AND r.id > 0)`;

/** A value of facts is JSON already; what is absent is null. */
function absentAsNull(of: FieldSql): Field {
  return field.serialized(sql`coalesce(${of}, 'null')`);
}

/** Whether something came, went or has another value: a fact that is null is not absent. */
function howChanged(before: string | SqlExpression, after: string | SqlExpression): SqlExpression {
  return sql`CASE WHEN ${before} IS NULL THEN 'added' WHEN ${after} IS NULL THEN 'removed' ELSE 'changed' END AS change`;
}

interface Changes {
  readonly name: string;
  /**
   * SELECT of the rows, with `node_id`, `change` and `changed`.
   * @param until makes SQL of the column `until`, with a comma before it, of what identifies a changed thing; or returns none
   * @param name of that column, with a comma before it; or empty
   */
  readonly rows: (until: (of: string) => string | SqlExpression, name: string) => SqlExpression;
  /** What identifies the changed thing. */
  readonly what: Readonly<Record<string, Field>>;
  readonly before: Field;
  readonly after: Field;
  readonly transaction: FieldSql;
}

function changes({ name, rows, what, before, after, transaction }: Changes): Entity {
  return {
    name,
    alias: name,
    from: {
      rows: sql`(${rows(() => "", "")})`,
      alias: "h",
      computed: { alias: "next", rows: sql`(${rows((of) => sql`, ${nextChange(of)}`, ", until")})` },
    },
    isView: true,
    joins: [nodeLookup(h("node_id"))],
    order: ["certname", "from", ...Object.keys(what), "change"],
    fields: {
      certname: field.certname(h("node_id")),
      ...what,
      change: required(field.string(h("change"))),
      before,
      after,
      from: required(field.timestamp(h("changed"))),
      until: field.timestamp({ ...sql`${h("until")}`, needs: ["h", "next"] }),
      transaction: field.string(transaction),
    },
    relationships: certnameRelationships(),
    ofNodes: true,
  };
}

/**
 * What a path begins with where its name, or all of it with dots, is a text: a part of a name may be what is before the first dot.
 * @returns undefined where JSON may write it in several ways
 */
function pathBegin(text: string): string | undefined {
  const [begin = ""] = text.split(".");
  return /^[\w /:+-]*$/.test(begin) ? `["${begin}` : undefined;
}

/** Changes of scalars in facts, other than volatile ones. */
export const factChanges: Entity = changes({
  name: "fact_changes",
  rows: (until) => sql`SELECT *, ${written((path) => duckdb.json.firstText(path), "path")} AS name,
    ${written((path) => duckdb.json.joinedTexts(path, "'.'"), "path")} AS what,
    ${howChanged("before", "after")}${until("path")} FROM ${stored("history_facts")}`,
  what: {
    what: required({ ...field.string(h("what")), begins: { in: h("path"), with: pathBegin } }),
    name: required({ ...field.string(h("name")), begins: { in: h("path"), with: pathBegin } }),
  },
  before: absentAsNull(h("before")),
  after: absentAsNull(h("after")),
  transaction: runTransaction,
});

/** SQL of a resource as JSON, by its id. */
function resourceOf(id: "before_id" | "after_id"): Field {
  return field.expanded(sql`coalesce((SELECT concat('{"file":', ${jsonOrNull("r.file")},
    ',"line":', ${plainOrNull("r.line")}, ',"exported":', r.exported, ',"tags":', ${json("r.tags")},
    ',"parameters":', r.parameters, '}') FROM ${stored("resources")} r WHERE r.id = ${h(id)}), 'null')`);
}

/** Changes of resources in catalogs: added, removed, or with other parameters, tags or places. */
export const resourceChanges: Entity = changes({
  name: "resource_changes",
  rows: (until) =>
    sql`SELECT *, ${howChanged("before_id", "after_id")}${until("type, title")} FROM ${stored("history_resources")}`,
  what: {
    what: required(field.string(sql`(${h("type")} || '[' || ${h("title")} || ']')`)),
    type: required(field.string(h("type"))),
    title: required(field.string(h("title"))),
  },
  before: resourceOf("before_id"),
  after: resourceOf("after_id"),
  transaction: h("transaction_uuid"),
});

/** Installed versions, with commas where there are several. */
function versions(column: "before" | "after"): Field {
  return field.string(sql`nullif(${written((list) => duckdb.lists.joined(list, "', '"), h(column))}, '')`);
}

const orNull = (list: string): SqlExpression => written((of) => duckdb.lists.orNull(of), list);

/** Changes of installed packages. */
export const packageChanges: Entity = changes({
  name: "package_changes",
  rows: (until) => sql`SELECT *, ${howChanged(orNull("before"), orNull("after"))}${until("name, provider")}
    FROM ${stored("history_packages")}`,
  what: {
    what: required(field.string(h("name"))),
    provider: required(field.string(h("provider"))),
  },
  before: versions("before"),
  after: versions("after"),
  transaction: runTransaction,
});

const edge = jsonObject({
  relationship: "e.relationship",
  source: "e.source_type || '[' || e.source_title || ']'",
  target: "e.target_type || '[' || e.target_title || ']'",
});

/** Changes of nodes and their catalogs besides resources: environment, code version, producer, state, edges. */
export const catalogChanges: Entity = changes({
  name: "catalog_changes",
  rows: (
    until,
    name,
  ) => sql`SELECT node_id, what, ${jsonText("before")} AS before, ${jsonText("after")} AS after, changed,
      transaction_uuid, ${howChanged("before", "after")}${until("what")} FROM ${stored("history_nodes")}
    UNION ALL
    SELECT node_id, 'edge' AS what, ${choice("came", "NULL", edge)} AS before, ${choice("came", edge, "NULL")} AS after, changed,
      transaction_uuid, ${choice("came", "'added'", "'removed'")} AS change${name}
    FROM (SELECT *${until("edge_id")} FROM ${stored("history_edges")}) c JOIN ${stored("edges")} e ON e.id = c.edge_id`,
  what: { what: required(field.string(h("what"))) },
  before: absentAsNull(h("before")),
  after: absentAsNull(h("after")),
  transaction: h("transaction_uuid"),
});
