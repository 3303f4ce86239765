/**
 * `docs/entities.md`, made of the declarations that answers are made of: `npm run docs` writes it, and a test fails when
 * it no longer says what the code does.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CensusError } from "#storage/errors.ts";
import type { Json } from "#storage/json.ts";
import { readComparison } from "#storage/query/ast/operands.ts";
import {
  defaultFields,
  type Entity,
  entities,
  type Field,
  type FieldType,
  isProjectable,
  isQueryable,
} from "#storage/query/entities/index.ts";

/** Where the page lies. */
export const entityDocs: string = join(import.meta.dirname, "../docs/entities.md");

const operators = ["=", ">", "<", ">=", "<=", "~", "~>"] as const;

/** An operand that each kind of field could be compared with, by operator where it matters. */
const operands: Readonly<Record<FieldType, Json>> = {
  string: "a",
  boolean: true,
  numeric: 1,
  timestamp: "2026-11-20T12:00:00Z",
  array: "a",
  path: ["a"],
  "encoded-path": ["a"],
  json: 1,
  document: { a: 1 },
  expanded: null,
};

export function renderEntityDocs(): string {
  const all = Object.values(entities);
  return [
    "# Entities, fields and operators",
    "",
    "Made by `npm run docs` from the declarations in `storage/query/entities/`. *filter*: may stand in conditions, `in` and",
    "`order_by`; *extract*: may be projected; *default*: is part of an answer that projects nothing.",
    "",
    "## Operators by kind of field",
    "",
    "`null?` works on every kind that can be filtered; `in` with a subquery likewise.",
    "",
    "| kind | operators |",
    "| --- | --- |",
    ...kindsOf(all).map(([kind, field]) => `| ${kind} | ${operatorsOf(field).join(" ") || "none"} |`),
    "",
    "Parts of a `document` have dotted names (`facts.os.family`) and take `=`, `>`, `<`, `>=`, `<=`, `~` and `null?`.",
    ...all.flatMap(entitySection),
    "",
  ].join("\n");
}

/** One field of each kind, in the order in which the kinds occur. */
function kindsOf(all: readonly Entity[]): [FieldType, Field][] {
  const kinds = new Map<FieldType, Field>();
  for (const { fields } of all) {
    for (const field of Object.values(fields)) if (!kinds.has(field.type)) kinds.set(field.type, field);
  }
  return [...kinds];
}

/** The operators that the code itself lets through. */
function operatorsOf(field: Field): string[] {
  return operators
    .filter((op) => {
      const operand = op === "~" ? "a" : op === "~>" ? ["a"] : operands[field.type];
      try {
        readComparison({ name: "field", field: { ...field, onlyNull: false } }, op, operand);
        return field.type !== "expanded";
      } catch (error) {
        if (error instanceof CensusError) return false;
        throw error;
      }
    })
    .map((op) => `\`${op}\``);
}

function entitySection(entity: Entity): string[] {
  const shown = new Set(defaultFields(entity));
  const related = Object.entries(entity.relationships).map(
    ([name, { local, foreign }]) => `${name} (${local.join(", ")} → ${foreign.join(", ")})`,
  );
  return [
    "",
    `## ${entity.name}`,
    "",
    "| field | kind | filter | extract | default |",
    "| --- | --- | --- | --- | --- |",
    ...Object.entries(entity.fields).map(
      ([name, field]) =>
        `| ${name} | ${field.onlyNull === true ? `${field.type}, null or not alone` : field.type} | ${mark(isQueryable(field))} | ${mark(isProjectable(field))} | ${mark(shown.has(name))} |`,
    ),
    "",
    related.length === 0 ? "No implicit subqueries." : `Implicit subqueries: ${related.join("; ")}.`,
  ];
}

function mark(yes: boolean): string {
  return yes ? "yes" : "";
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  writeFileSync(entityDocs, renderEntityDocs());
}
