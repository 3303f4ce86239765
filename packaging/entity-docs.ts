/**
 * `docs/entities.md`, made of the declarations that answers are made of: `npm run docs` writes it, and a test fails when
 * it no longer says what the code does.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  defaultFields,
  type Entity,
  entities,
  type Field,
  type FieldType,
  isProjectable,
  isQueryable,
} from "#storage/query/entities/index.ts";
import { type Comparison, comparisons, takes } from "#storage/query/operators.ts";

/** Path of the page. */
export const entityDocs: string = join(import.meta.dirname, "../docs/entities.md");

const partOperators = comparisons
  .filter(({ onPart }) => onPart !== undefined)
  .map(({ ast }) => `\`${ast}\``)
  .join(", ");

export function renderEntityDocs(): string {
  const all = Object.values(entities);
  return [
    "# Entities, fields and operators",
    "",
    "Made by `npm run docs` from the declarations in `storage/query/entities/`. *filter*: may stand in conditions, `in` and",
    "`order_by`; *extract*: may be projected; *default*: is part of an answer that projects nothing.",
    "",
    "## Operators",
    "",
    "| AST | PQL | meaning |",
    "| --- | --- | --- |",
    ...comparisons.map(operatorRow),
    "| `null?` | `is null` `is not null` | is absent, or present |",
    "| `in` | `in` | is one of a list of values, or of the rows of a subquery |",
    "",
    "In PQL an operator with `!` negates the comparison; AST wraps it in `not`.",
    "",
    "## Operators by kind of field",
    "",
    "`null?` works on every kind that can be filtered; `in` with a subquery likewise.",
    "",
    "| kind | operators |",
    "| --- | --- |",
    ...kindsOf(all).map(([kind, field]) => `| ${kind} | ${operatorsOf(field) || "none"} |`),
    "",
    `Parts of a \`document\` have dotted names (\`facts.os.family\`) and take ${partOperators} and \`null?\`.`,
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

function operatorsOf(field: Field): string {
  return comparisons
    .filter((operator) => takes(operator, { ...field, onlyNull: false }))
    .map(({ ast }) => `\`${ast}\``)
    .join(" ");
}

/** `AST spelling | PQL spellings | meaning` of each comparison. */
function operatorRow({ ast, pql, meaning }: Comparison): string {
  return `| \`${ast}\` | ${pql.map(({ symbol }) => `\`${symbol}\``).join(" ")} | ${meaning} |`;
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
