/**
 * The queries that PuppetDB refuses and Census answers, a row each: `docs/entities.md` lists them, and what `ast_only` prints is
 * read by PuppetDB.
 */
import type { Json } from "../json.ts";
import { partInList } from "./ast/membership.ts";
import { QueryError } from "./errors.ts";
import { comparisonNamed } from "./operators.ts";
import { notForPuppetdb, OWN_ENTITIES } from "./pql/grammar.ts";
import type { Column, Condition, Selection } from "./tree.ts";

export interface Extension {
  /** What PuppetDB refuses, for pages and messages. */
  readonly what: string;
  /** A query, in PQL or else in AST. */
  readonly example: string;
  /** Whether a query has it, apart from the queries in its condition; absent: there is AST of the same meaning for PuppetDB. */
  readonly isIn?: (selection: Selection) => boolean;
}

/** Maximum characters of the name of a column in PuppetDB. */
const LONGEST_NAME = 63;

export const extensions: readonly Extension[] = [
  {
    what: "`in` with a list for a part of a document; it is in the list if it equals one of the values",
    example: 'inventory[certname]{ facts.os.family in ["Debian", "RedHat"] }',
  },
  {
    what: "`order by` a part of a document",
    example: "inventory[certname]{ order by facts.system_uptime.seconds desc limit 10 }",
    isIn: ({ paging: { orderBy = [] } }) => orderBy.some(({ by }) => by.kind === "part"),
  },
  {
    what: "`order by` a function of the projection, as it is written there or by the name of its column",
    example: "resources[type, count()]{ group by type order by count() desc limit 10 }",
    isIn: ({ paging: { orderBy = [] } }) =>
      orderBy.some(({ by }) => by.kind === "aggregate" || by.kind === "to_string"),
  },
  {
    what: "functions of a part of a document",
    example: "inventory[facts.os.family, avg(facts.memory.system.total_bytes)]{ group by facts.os.family }",
    isIn: ({ columns }) => columns.some((column) => isComputed(column) && column.ref?.path !== undefined),
  },
  {
    what: "`jsonb_typeof` of a part of a document",
    example: '["from", "inventory", ["=", ["function", "jsonb_typeof", "facts.uptime"], "number"]]',
    isIn: ({ where }) => conditionsIn(where).some((each) => each.kind === "json-type" && each.ref.path !== undefined),
  },
  {
    what: "an index in the name of a projected or grouped part of a document",
    example: "inventory[certname, facts.processors.models[0]]{}",
    isIn: ({ columns, groupBy }) => [...columns, ...(groupBy ?? [])].some(hasIndex),
  },
  {
    what: `the name of a projected part of a document with more than ${LONGEST_NAME} characters`,
    example: "inventory[facts.networking.interfaces.a_name_that_is_longer_than_most_names.bindings6]{}",
    isIn: ({ columns }) => columns.some(({ kind, key }) => kind === "part" && key.length > LONGEST_NAME),
  },
  {
    what: `the entities ${OWN_ENTITIES.map((name) => `\`${name}\``).join(", ")}`,
    example: "package_changes{ limit 10 }",
    isIn: ({ entity }) => OWN_ENTITIES.some((name) => name === entity.name),
  },
  {
    what: "`report_due` of nodes: from when a node is silent by its own interval, and `duration` of reports (seconds)",
    example: 'nodes[certname, report_due]{ report_due < "2026-11-20T12:00:00Z" }',
    isIn: ({ columns, where, groupBy, paging: { orderBy = [] } }) =>
      [...columns, ...conditionsIn(where), ...(groupBy ?? []), ...orderBy.map(({ by }) => by)].some(isUnlisted),
  },
  {
    what: "in PQL, `order by`, `limit` and `offset` after `group by`",
    example: "facts[name, count()]{ group by name order by name limit 10 }",
  },
  {
    what: "in PQL, `and` and `or` without white space beside a sign",
    example:
      'nodes[certname]{ (certname ~ "^web")and(catalog_environment = "production"or!cached_catalog_status = "used") }',
  },
  {
    what: "in PQL, the name of a part of a document directly before `)` or `}`",
    example: "inventory[facts.os.family, count()]{group by facts.os.family}",
  },
];

/**
 * The AST of a query as PuppetDB reads it.
 * @param selection what Census reads in it
 * @throws QueryError naming what PuppetDB has not
 */
export function astForPuppetdb(ast: Json, selection: Selection): Json {
  const selections = selectionsIn(selection);
  const found = extensions.find(({ isIn }) => isIn !== undefined && selections.some(isIn));
  if (found === undefined) return withoutLists(ast);
  throw new QueryError(`${notForPuppetdb}, though Census does: it has ${found.what.replaceAll("`", "")}`);
}

function withoutLists(ast: Json): Json {
  // Operands are data.
  const isData = !Array.isArray(ast) || ast[0] === "array" || comparisonNamed(ast[0]) !== undefined;
  return isData ? ast : (partInList(ast) ?? ast.map(withoutLists));
}

function isComputed(column: Column): column is Extract<Column, { kind: "aggregate" | "to_string" }> {
  return column.kind === "aggregate" || column.kind === "to_string";
}

function isUnlisted(part: Column | Condition): boolean {
  const refs = "ref" in part ? [part.ref] : "refs" in part ? part.refs : [];
  return refs.some((ref) => ref?.field.isUnlisted === true);
}

function hasIndex(column: Column): boolean {
  return column.kind === "part" && column.ref.path.some(({ kind }) => kind === "index");
}

/** A query and those in its conditions. */
function selectionsIn(selection: Selection): Selection[] {
  const inner = conditionsIn(selection.where).flatMap((each) => (each.kind === "in-query" ? [each.selection] : []));
  return [selection, ...inner.flatMap(selectionsIn)];
}

/** A condition and those that it joins. */
function conditionsIn(where: Condition | null): Condition[] {
  if (where === null) return [];
  if (where.kind === "and" || where.kind === "or") return [where, ...where.clauses.flatMap(conditionsIn)];
  return where.kind === "not" || where.kind === "known" ? [where, ...conditionsIn(where.clause)] : [where];
}
