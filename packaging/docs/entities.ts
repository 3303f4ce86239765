import {
  defaultFields,
  type Entity,
  entities,
  type Field,
  type FieldType,
  isProjectable,
  isQueryable,
} from "#storage/query/entities/index.ts";
import { extensions } from "#storage/query/extensions.ts";
import { type Comparison, comparisons, supports } from "#storage/query/operators.ts";
import { paragraph, type Parts } from "./parts.ts";

const partOperators = comparisons
  .filter(({ onPart }) => onPart !== undefined)
  .map(({ ast }) => `\`${ast}\``)
  .join(", ");

/** The operators, those of each kind of field, and the fields of each entity. */
export function entityParts(): Parts {
  const all = Object.values(entities);
  return {
    operators: [
      "| AST | PQL | meaning |",
      "| --- | --- | --- |",
      ...comparisons.map(operatorRow),
      "| `null?` | `is null` `is not null` | is absent, or present |",
      "| `in` | `in` | is one of a list of values, or of the rows of a subquery |",
    ].join("\n"),
    kinds: [
      "| kind | operators |",
      "| --- | --- |",
      ...kindsOf(all).map(([kind, field]) => `| ${kind} | ${operatorsOf(field) || "none"} |`),
      "",
      `Parts of a \`document\` have dotted names (\`facts.os.family\`) and take ${partOperators}, \`null?\`, and \`in\` with a list.`,
    ].join("\n"),
    extensions: [
      "| Census has | example |",
      "| --- | --- |",
      ...extensions.map(({ what, example }) => `| ${what} | \`${example}\` |`),
    ].join("\n"),
    entities: all.map((entity) => entitySection(entity).join("\n")).join("\n\n"),
  };
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
    .filter((operator) => supports(operator, { ...field, onlyNull: false }))
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
    `## ${entity.name}`,
    "",
    "| field | kind | filter | extract | default |",
    "| --- | --- | --- | --- | --- |",
    ...Object.entries(entity.fields).map(
      ([name, field]) =>
        `| ${name} | ${field.onlyNull === true ? `${field.type}, only with null` : field.type} | ${mark(isQueryable(field))} | ${mark(isProjectable(field))} | ${mark(shown.has(name))} |`,
    ),
    "",
    related.length === 0 ? "No implicit subqueries." : paragraph(`Implicit subqueries: ${related.join("; ")}.`),
  ];
}

function mark(yes: boolean): string {
  return yes ? "yes" : "";
}
