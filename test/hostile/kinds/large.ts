import type { Random } from "#fixtures/random.ts";
import type { Attack } from "../attack.ts";
import { entityNames, fieldsOf, queryAttack, type QueryPlace, queryPlaces } from "./fields.ts";
import { word } from "./words.ts";

const root = queryPlaces.find(({ isRoot }) => isRoot) as QueryPlace;

const repeated = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(",");

type Shape = (count: number, entity: string, random: Random) => string;

const shapes: Readonly<Record<string, Shape>> = {
  or: (count, entity, random) => `["or",${repeated(count, (n) => `["=","${random.pick(fieldsOf(entity))}","v${n}"]`)}]`,
  "or of one field": (count, entity, random) => {
    const field = random.pick(fieldsOf(entity));
    return `["or",${repeated(count, (n) => `["=","${field}","v${n}"]`)}]`;
  },
  and: (count, entity, random) =>
    `["and",${repeated(count, (n) => `["~","${random.pick(fieldsOf(entity))}","v${n}"]`)}]`,
  "in array": (count, entity, random) =>
    `["in","${random.pick(fieldsOf(entity))}",["array",[${repeated(count * 10, (n) => (n % 3 === 0 ? String(n) : `"v${n}"`))}]]]`,
  "in pairs": (count, _entity, _random) =>
    `["in",["certname","name"],["array",[${repeated(count, (n) => `["a${n}","b${n}"]`)}]]]`,
  "deep not": (count, entity, random) =>
    `${'["not",'.repeat(count)}["=","${random.pick(fieldsOf(entity))}","x"]${"]".repeat(count)}`,
  "deep and": (count, _entity, _random) =>
    `${'["and",["=","certname","a"],'.repeat(count)}["=","certname","x"]${"]".repeat(count)}`,
  "deep in": (count, _entity, _random) =>
    `${'["in","certname",["extract","certname",["select_nodes",'.repeat(Math.min(count, 400))}["=","certname","x"]${"]]]".repeat(Math.min(count, 400))}`,
  "deep subquery": (count, _entity, _random) =>
    `${'["subquery","facts",'.repeat(Math.min(count, 400))}["=","name","x"]${"]".repeat(Math.min(count, 400))}`,
  "deep list": (count) => `["=","certname",${"[".repeat(count)}${"]".repeat(count)}]`,
  "deep object": (count) => `["=","certname",${'{"a":'.repeat(count)}1${"}".repeat(count)}]`,
  "only brackets": (count) => "[".repeat(count),
  "equal arrays": (count) => `["=","value",[${repeated(count, (n) => String(n))}]]`,
  columns: (count, entity, random) =>
    `["extract",[${repeated(count, () => JSON.stringify(random.pick(fieldsOf(entity))))}]]`,
  "dotted columns": (count) => `["extract",[${repeated(count, (n) => `"facts.a${n}.b"`)}]]`,
  masks: (count) => `["extract",[${repeated(count, () => '["function","to_string","producer_timestamp","YYYY"]')}]]`,
  "group by": (count, entity, random) => {
    const fields = repeated(count, () => JSON.stringify(random.pick(fieldsOf(entity))));
    return `["extract",[["function","count"],${fields}],["group_by",${fields}]]`;
  },
  "dotted path": (count) => `["=","facts.${"a.".repeat(count)}b","x"]`,
  indexes: (count) => `["=","facts.a${"[0]".repeat(count)}","x"]`,
  "long text": (count) => `["=","certname","${"é".repeat(count * 10)}"]`,
  "long pattern": (count) => `["~","certname","${"a?".repeat(count)}${"a".repeat(count)}"]`,
  "wide pattern": (count) => `["~","certname","(${Array.from({ length: count }, (_, n) => `v${n}`).join("|")})"]`,
  "deep pattern": (count) => `["~","certname","${"(".repeat(count)}a${")".repeat(count)}"]`,
  "path pattern": (count) => `["~>","path",[${repeated(count, () => '".*"')}]]`,
  "order by": (count, entity, random) =>
    `["from","${entity}",["order_by",[${repeated(count, () => JSON.stringify([random.pick(fieldsOf(entity)), "desc"]))}]]]`,
  "long number": (count) => `["=","value",${"9".repeat(count * 5)}]`,
  "number list": (count) => `["in","value",["array",[${repeated(count * 5, (n) => `1e${n}`)}]]]`,
};

const pqlShapes: Readonly<Record<string, (count: number, random: Random) => string>> = {
  "PQL parentheses": (count) => `nodes{${"(".repeat(count)}certname = "a"${")".repeat(count)}}`,
  "PQL not": (count) => `nodes{${"!".repeat(count)}certname = "a"}`,
  "PQL or": (count) => `nodes{${Array.from({ length: count }, (_, n) => `certname = "v${n}"`).join(" or ")}}`,
  "PQL in": (count) => `nodes{certname in [${repeated(count * 5, (n) => `"v${n}"`)}]}`,
  "PQL subqueries": (count) =>
    `nodes{${"certname in nodes[certname]{".repeat(Math.min(count, 400))}certname = "a"${"}".repeat(Math.min(count, 400))}}`,
  "PQL implicit": (count) =>
    `nodes{${"facts{".repeat(Math.min(count, 400))}name = "a"${"}".repeat(Math.min(count, 400))}}`,
  "PQL list": (count) => `nodes{certname = ${"[".repeat(count)}`,
  "PQL words": (count, random) => Array.from({ length: count }, () => word(random)).join(" "),
  "PQL spaces": (count) => `nodes{${" ".repeat(count * 20)}}`,
  "PQL text": (count) => `nodes{certname = "${"\\\\".repeat(count * 5)}`,
};

/** Bodies that are no JSON, or only nearly. */
const bodies: Readonly<Record<string, (count: number) => string>> = {
  "no JSON": (count) => "x".repeat(count * 50),
  "broken JSON": (count) => `{"query":[${"1,".repeat(count * 20)}`,
  "many names": (count) => `{${repeated(count, (n) => `"p${n}":1`)}}`,
  "many order_by": (count) =>
    `{"query":["from","nodes"],"order_by":[${repeated(count, () => '{"field":"certname"}')}]}`,
  escapes: (count) => `{"query":"${"\\u0000".repeat(count * 10)}"}`,
};

/** Sizes: mostly small ones, so that a campaign keeps its pace. */
const sizes = [
  [50, 20],
  [200, 20],
  [1000, 10],
  [4000, 5],
  [20_000, 1],
  [100_000, 0.2],
] as const;

/** Queries that are large in one dimension. */
export function large(random: Random): Attack {
  const count = random.integer(1, random.weighted(sizes));
  const entity = random.pick(entityNames);
  const form = random.integer(0, 9);
  if (form < 6) {
    const name = random.pick(Object.keys(shapes));
    const query = shapes[name]?.(count, entity, random) ?? "";
    const isRootQuery = query.startsWith('["from"') || name === "only brackets";
    return named(name, isRootQuery ? query : `["from","${entity}",${query}]`, random);
  }
  if (form < 9) {
    const name = random.pick(Object.keys(pqlShapes));
    return named(name, pqlShapes[name]?.(count, random) ?? "", random);
  }
  const name = random.pick(Object.keys(bodies));
  const body = Buffer.from(bodies[name]?.(count) ?? "");
  const headers = { "content-type": "application/json" };
  return {
    transport: "http",
    kind: "large",
    route: `query/ ${name}`,
    method: "POST",
    path: "/pdb/query/v4",
    parameters: [],
    headers,
    body,
  };
}

function named(name: string, query: string, random: Random): Attack {
  return { ...queryAttack("large", root, query, [], random), route: `query/ ${name}` };
}
