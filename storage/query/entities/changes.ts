/** The recorded changes of nodes (`storage/schema/migrations/008-history.ts`): what was before, what after, and until when. */
import { certnameRelationships, type Entity, type Field, field, nodeLookup, required } from "./entity.ts";
import { alias, type FieldSql, sql, type SqlExpression, stored } from "./sql.ts";

const h = alias("h");

/** When the same changed again; rows of a node are in the order of time. */
function nextChange(of: string): string {
  return `lead(changed) OVER (PARTITION BY node_id, ${of} ORDER BY changed, rowid) AS until`;
}

/** The transaction of the run that sent facts: of the report that was being made at that time. */
const runTransaction = sql`(SELECT any_value(r.transaction_uuid) FROM ${stored("reports")} r
  WHERE r.node_id = ${h("node_id")} AND ${h("changed")} BETWEEN r.start_time AND r.end_time AND r.id > 0)`;

/** A value of facts is JSON already; what is absent is null. */
function absentAsNull(of: FieldSql): Field {
  return field.serialized(sql`coalesce(${of}, 'null')`);
}

/** Whether something came, went or has another value: a fact that is null is not absent. */
function howChanged(before: string, after: string): string {
  return `CASE WHEN ${before} IS NULL THEN 'added' WHEN ${after} IS NULL THEN 'removed' ELSE 'changed' END AS change`;
}

interface Changes {
  readonly name: string;
  /**
   * SELECT of the rows, with `node_id`, `change` and `changed`.
   * @param until makes SQL of the column `until`, with a comma before it, of what identifies a changed thing; or returns none
   * @param name of that column, with a comma before it; or empty
   */
  readonly rows: (until: (of: string) => string, name: string) => SqlExpression;
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
      computed: { alias: "next", rows: sql`(${rows((of) => `, ${nextChange(of)}`, ", until")})` },
    },
    isView: true,
    joins: [nodeLookup(h("node_id"))],
    order: ["certname", "from", ...Object.keys(what), "change"],
    fields: {
      certname: field.certname(h("node_id")),
      ...what,
      change: required(field.category(h("change"))),
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
  rows: (
    until,
  ) => sql`SELECT *, path->>0 AS name, list_aggregate(from_json(path, '["VARCHAR"]'), 'string_agg', '.') AS what,
    ${howChanged("before", "after")}${until("path")} FROM ${stored("history_facts")}`,
  what: {
    what: required({ ...field.string(h("what")), begins: { in: h("path"), with: pathBegin } }),
    name: required({ ...field.category(h("name")), begins: { in: h("path"), with: pathBegin } }),
  },
  before: absentAsNull(h("before")),
  after: absentAsNull(h("after")),
  transaction: runTransaction,
});

/** SQL of a resource as JSON, by its id. */
function resourceOf(id: "before_id" | "after_id"): Field {
  return field.expanded(sql`coalesce((SELECT concat('{"file":', coalesce(to_json(r.file), 'null'),
    ',"line":', coalesce(r.line::VARCHAR, 'null'), ',"exported":', r.exported, ',"tags":', to_json(r.tags),
    ',"parameters":', r.parameters, '}') FROM ${stored("resources")} r WHERE r.id = ${h(id)}), 'null')`);
}

/** Changes of resources in catalogs: added, removed, or with other parameters, tags or places. */
export const resourceChanges: Entity = changes({
  name: "resource_changes",
  rows: (until) =>
    sql`SELECT *, ${howChanged("before_id", "after_id")}${until("type, title")} FROM ${stored("history_resources")}`,
  what: {
    what: required(field.string(sql`(${h("type")} || '[' || ${h("title")} || ']')`)),
    type: required(field.category(h("type"))),
    title: required(field.string(h("title"))),
  },
  before: resourceOf("before_id"),
  after: resourceOf("after_id"),
  transaction: h("transaction_uuid"),
});

/** Installed versions, with commas where there are several. */
function versions(column: "before" | "after"): Field {
  return field.string(sql`nullif(array_to_string(${h(column)}, ', '), '')`);
}

/** Changes of installed packages. */
export const packageChanges: Entity = changes({
  name: "package_changes",
  rows: (until) => sql`SELECT *, ${howChanged("nullif(before, [])", "nullif(after, [])")}${until("name, provider")}
    FROM ${stored("history_packages")}`,
  what: {
    what: required(field.string(h("name"))),
    provider: required(field.category(h("provider"))),
  },
  before: versions("before"),
  after: versions("after"),
  transaction: runTransaction,
});

const edge = `json_object('relationship', e.relationship, 'source', e.source_type || '[' || e.source_title || ']',
  'target', e.target_type || '[' || e.target_title || ']')::VARCHAR`;

/** Changes of nodes and their catalogs besides resources: environment, code version, producer, state, edges. */
export const catalogChanges: Entity = changes({
  name: "catalog_changes",
  rows: (
    until,
    name,
  ) => sql`SELECT node_id, what, to_json(before)::VARCHAR AS before, to_json(after)::VARCHAR AS after, changed,
      transaction_uuid, ${howChanged("before", "after")}${until("what")} FROM ${stored("history_nodes")}
    UNION ALL
    SELECT node_id, 'edge' AS what, if(came, NULL, ${edge}) AS before, if(came, ${edge}, NULL) AS after, changed,
      transaction_uuid, if(came, 'added', 'removed') AS change${name}
    FROM (SELECT *${until("edge_id")} FROM ${stored("history_edges")}) c JOIN ${stored("edges")} e ON e.id = c.edge_id`,
  what: { what: required(field.category(h("what"))) },
  before: absentAsNull(h("before")),
  after: absentAsNull(h("after")),
  transaction: h("transaction_uuid"),
});
