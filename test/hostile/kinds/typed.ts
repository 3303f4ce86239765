import type { Random } from "#fixtures/random.ts";
import { type FieldType, isProjectable, queryableFields } from "#storage/query/entities/entity.ts";
import { entities } from "#storage/query/entities/index.ts";
import type { Attack } from "../attack.ts";
import { parameters, queryAttack, type QueryPlace, queryPlaces } from "./fields.ts";
import { pattern } from "./patterns.ts";
import { numberText, timeText, word } from "./words.ts";

const root = queryPlaces.find(({ isRoot }) => isRoot) as QueryPlace;
const names = Object.keys(entities);

const json = (value: unknown): string => JSON.stringify(value).toWellFormed();

const text = (random: Random): string => json(word(random));
const regex = (random: Random): string => json(pattern(random));
const someTime = (random: Random): string => json(random.chance(0.7) ? "2026-11-20T10:00:00Z" : timeText(random));

type Maker = (field: string, random: Random) => string;

const order = (random: Random): string => random.pick(["<", ">", "<=", ">="]);
const equality: Maker = (field, random) => `["=",${field},${text(random)}]`;
const isNull: Maker = (field, random) => `["null?",${field},${random.chance(0.5)}]`;
const matches: Maker = (field, random) => `["~",${field},${regex(random)}]`;
const among: Maker = (field, random) =>
  `["in",${field},["array",[${Array.from({ length: random.integer(0, 4) }, () => text(random)).join(",")}]]]`;

/** Conditions that a field of each type may have. */
const conditionsOf: Readonly<Record<FieldType, readonly Maker[]>> = {
  string: [equality, isNull, matches, among],
  boolean: [(field, random) => `["=",${field},${random.chance(0.5)}]`, isNull],
  numeric: [
    (field, random) => `["=",${field},${numberText(random)}]`,
    (field, random) => `["${order(random)}",${field},${numberText(random)}]`,
    isNull,
    (field, random) => `["in",${field},["array",[${numberText(random)},${numberText(random)}]]]`,
  ],
  timestamp: [
    (field, random) => `["${order(random)}",${field},${someTime(random)}]`,
    (field, random) => `["=",${field},${someTime(random)}]`,
    isNull,
    (field, random) => `["in",${field},["array",[${someTime(random)}]]]`,
  ],
  array: [equality, matches],
  path: [
    (field, random) => `["~>",${field},[${regex(random)},${regex(random)}]]`,
    (field, random) => `["=",${field},[${text(random)},0]]`,
  ],
  "encoded-path": [
    (field, random) => `["~>",${field},[${regex(random)}]]`,
    (field, random) => `["=",${field},[${text(random)}]]`,
    (field, random) => `["in",${field},["array",[[${text(random)}],[${text(random)},1]]]]`,
  ],
  json: [
    equality,
    matches,
    isNull,
    (field, random) => `["=",${field},${numberText(random)}]`,
    (field, random) => `["${order(random)}",${field},${numberText(random)}]`,
    (field, random) => `["=",${field},[${numberText(random)},${text(random)}]]`,
    (field, random) => `["=",${field},{${text(random)}:${numberText(random)}}]`,
    (field, random) => `["in",${field},["array",[${numberText(random)},${text(random)},true]]]`,
  ],
  document: [
    (field, random) =>
      `["=","${field.slice(1, -1)}.${part(random)}",${random.chance(0.5) ? numberText(random) : text(random)}]`,
    (field, random) => `["~","${field.slice(1, -1)}.${part(random)}",${regex(random)}]`,
    (field, random) => `["${order(random)}","${field.slice(1, -1)}.${part(random)}",${numberText(random)}]`,
    (field, random) => `["null?","${field.slice(1, -1)}.${part(random)}",${random.chance(0.5)}]`,
  ],
  expanded: [isNull],
};

function part(random: Random): string {
  return random.pick([
    "os.family",
    "kernel",
    "uptime",
    "processors.count",
    "networking.interfaces.eth0.ip",
    "ensure",
    "os",
    "list[0]",
    "extensions.role",
  ]);
}

function condition(entity: string, random: Random, depth: number): string {
  const of = entities[entity];
  if (of === undefined) return "null";
  const form = depth > 0 ? random.integer(0, 9) : 9;
  if (form < 2)
    return `["${random.pick(["and", "or"])}",${condition(entity, random, depth - 1)},${condition(entity, random, depth - 1)}]`;
  if (form === 2) return `["not",${condition(entity, random, depth - 1)}]`;
  const related = Object.keys(of.relationships).filter((name) => entities[name] !== undefined);
  if (form === 3 && related.length > 0) {
    const other = random.pick(related);
    return `["subquery","${other}",${condition(other, random, depth - 1)}]`;
  }
  if (form === 4 && related.length > 0) {
    const other = random.pick(related);
    const { local, foreign } = of.relationships[other] ?? { local: [], foreign: [] };
    return `["in",${json(local)},["from","${other}",["extract",${json(foreign)},${condition(other, random, depth - 1)}]]]`;
  }
  const name = random.pick(queryableFields(of));
  const type = of.fields[name]?.type ?? "string";
  return random.pick(conditionsOf[type])(json(name), random);
}

/** Queries that keep to the types of the fields: most of them reach the engine. */
export function typed(random: Random): Attack {
  const entity = random.pick(names);
  const of = entities[entity];
  const fields = Object.entries(of?.fields ?? {}).filter(([, field]) => isProjectable(field));
  const chosen = random.sample(
    fields.map(([name]) => name),
    random.integer(1, 3),
  );
  const test = condition(entity, random, 2);
  const form = random.integer(0, 9);
  const query =
    form < 4
      ? test
      : form < 6
        ? `["extract",${json(chosen)},${test}]`
        : form < 8
          ? `["extract",[${chosen.map(json).join(",")},["function","count"]],${test},["group_by",${chosen.map(json).join(",")}]]`
          : `["extract",[["function","${random.pick(["max", "min", "avg", "sum", "count"])}",${json(random.pick(chosen))}]],${test}]`;
  const sorting = random.chance(0.3) && form < 8 ? `,["order_by",[["${random.pick(chosen)}","desc"]]]` : "";
  const limit = random.chance(0.5) ? `,["limit",${random.integer(0, 20)}]` : "";
  const others = random.chance(0.15) ? parameters(root, random).filter(([name]) => name !== "timeout") : [];
  return {
    ...queryAttack("typed", root, `["from","${entity}",${query}${sorting}${limit}]`, others, random),
    route: `query/ ${entity}`,
  };
}
