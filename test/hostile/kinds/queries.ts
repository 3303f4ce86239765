import * as fc from "fast-check";
import type { Random } from "#fixtures/random.ts";
import { stringifyJson } from "#storage/json.ts";
import { queries } from "#test/storage/query/random-ast.ts";
import type { Attack } from "../attack.ts";
import { entityNames, fieldsOf, parameters, queryAttack, type QueryPlace, queryPlaces } from "./fields.ts";
import { pattern } from "./patterns.ts";
import { pqlText } from "./pql.ts";
import { mutated, numberText, timeText, word } from "./words.ts";

const arbitraries = new Map<string, fc.Arbitrary<unknown>>();

/** A random query of an entity as JSON text. */
function randomQuery(entity: string, random: Random): string {
  let arbitrary = arbitraries.get(entity);
  if (arbitrary === undefined) arbitraries.set(entity, (arbitrary = queries(entity)));
  const [query] = fc.sample(arbitrary, { seed: random.word() | 0, numRuns: 1 });
  return stringifyJson(query as never);
}

const listed = queryPlaces.filter(({ isRoot }) => !isRoot);
const root = queryPlaces.find(({ isRoot }) => isRoot) as QueryPlace;

/** Queries of every entity on every route: valid, nearly valid, wild. */
export function ast(random: Random): Attack {
  const place = random.chance(0.3) ? root : random.pick(listed);
  const entity = place.entity ?? random.pick(entityNames);
  let query = randomQuery(entity, random);
  if (place.isRoot) query = `["from",${JSON.stringify(entity)},${query}${paging(random)}]`;
  if (random.chance(0.12)) query = mutated(query, random);
  return queryAttack("ast", place, query, parameters(place, random), random);
}

function paging(random: Random): string {
  if (random.chance(0.6)) return "";
  return `,["${random.pick(["limit", "offset"])}",${numberText(random)}]`;
}

/** PQL: valid, nearly valid, wild. */
export function pql(random: Random): Attack {
  const text = pqlText(random);
  return queryAttack("pql", root, random.chance(0.35) ? mutated(text, random) : text, parameters(root, random), random);
}

/** Regular expressions on every field, in AST and PQL. */
export function patterns(random: Random): Attack {
  const entity = random.pick(entityNames);
  const field = target(entity, random);
  const text = JSON.stringify(pattern(random).toWellFormed());
  if (random.chance(0.3)) {
    const query = `${entity}{${random.pick(fieldsOf(entity))} ~ ${text}}`;
    return queryAttack("patterns", root, query, [], random);
  }
  const condition = random.pick([
    `["~",${field},${text}]`,
    `["~>",${field},[${text},".*"]]`,
    `["not",["~",${field},${text}]]`,
    `["or",["~",${field},${text}],["~",${field},"x"]]`,
    `["and",["~",${field},${text}],["=",${field},"nothing"]]`,
  ]);
  const query = `["from",${JSON.stringify(entity)},["extract",["function","count"],${condition}]]`;
  return queryAttack("patterns", root, query, [], random);
}

/** Comparisons of every field with numbers and times. */
export function values(random: Random): Attack {
  const entity = random.pick(entityNames);
  const operator = random.pick(["=", "<", ">", "<=", ">=", "~", "in", "null?", "~>"]);
  const value = random.pick([
    () => JSON.stringify(timeText(random)),
    () => numberText(random),
    () => JSON.stringify(numberText(random)),
    () => JSON.stringify(word(random).toWellFormed()),
    () => `[${numberText(random)},${JSON.stringify(timeText(random))},null]`,
    () => `["array",[${numberText(random)},${JSON.stringify(word(random).toWellFormed())},true]]`,
    () => `{"a":${numberText(random)}}`,
    () => "null",
  ])();
  const condition = `["${operator}",${target(entity, random)},${value}]`;
  const call = random.pick(["count", "avg", "sum", "min", "max", "to_string", "jsonb_typeof"]);
  const mask =
    call === "to_string" ? `,${JSON.stringify(random.pick(["YYYY", "FM999", "D", word(random).toWellFormed()]))}` : "";
  const projected = `["extract",[["function","${call}",${target(entity, random)}${mask}]],${condition}]`;
  const query = `["from",${JSON.stringify(entity)},${random.chance(0.3) ? projected : condition}]`;
  return queryAttack("values", root, query, random.chance(0.2) ? parameters(root, random) : [], random);
}

function target(entity: string, random: Random): string {
  const field = random.pick(fieldsOf(entity));
  return random.weighted([
    [JSON.stringify(field), 10],
    [`["fact",${JSON.stringify(random.pick(["kernel", "uptime", "os"]))}]`, 1],
    [`["parameter","ensure"]`, 1],
    [JSON.stringify(`facts.${random.pick(["os.family", "uptime", "nics[0].mtu", 'match(".*")', "x[9]"])}`), 2],
    [JSON.stringify(`trusted.extensions.${random.pick(["role", "a.b"])}`), 1],
    [JSON.stringify(`parameters.${random.pick(["ensure", "a.b[0]"])}`), 1],
  ]);
}
