import { queryRoutes } from "#app/routes/query-table.ts";
import type { Random } from "#fixtures/random.ts";
import type { Attack, Parameter } from "../attack.ts";
import { escaped } from "../attack.ts";
import { entities, selectable } from "#storage/query/entities/index.ts";
import { hostileNodes, mutated, numberText, timeText, word } from "./words.ts";

/** Names of everything that can be queried. */
export const entityNames: readonly string[] = Object.keys(entities);

/** Names of the fields of an entity. */
export function fieldsOf(entity: string): readonly string[] {
  return Object.keys(entities[entity]?.fields ?? selectable.get(entity)?.fields ?? {});
}

/** Root, and every path below it, with what its query is about. */
export interface QueryPlace {
  /** Below `/pdb/query/v4`, segments such as `:node` not filled in. */
  readonly path: string;
  readonly entity: string | undefined;
  readonly isRoot: boolean;
  readonly isCounting: boolean;
}

export const queryPlaces: readonly QueryPlace[] = queryRoutes.map((route) => ({
  path: route.path,
  entity: "entity" in route ? route.entity : route.kind.endsWith("counts") ? "events" : undefined,
  isRoot: route.kind === "root",
  isCounting: route.kind.endsWith("counts"),
}));

/** Values for the parameters of a path, such as `:node`; most of them exist. */
export function segment(name: string, random: Random): string {
  if (random.chance(0.25)) return word(random).slice(0, 500);
  switch (name) {
    case "node":
      return random.pick(hostileNodes);
    case "environment":
      return random.pick(["production", "development", "staging"]);
    case "hash":
      return random.chance(0.5) ? random.hex(40) : random.pick(hostileNodes);
    case "fact":
      return random.pick(["kernel", "os", "uptime", "processors", "networking"]);
    case "type":
      return random.pick(["File", "Class", "Package", "Service"]);
    default:
      return word(random).slice(0, 500);
  }
}

/** The path of a request for rows. */
export function pathOf(place: QueryPlace, random: Random): string {
  const filled = place.path.replaceAll(/:(\w+)/g, (_, name: string) => escaped(segment(name, random)));
  return `/pdb/query/v4${filled === "" ? "" : `/${filled}`}`;
}

/** A field to order by. */
function ordering(entity: string | undefined, random: Random): unknown {
  const field = entity !== undefined && random.chance(0.85) ? random.pick(fieldsOf(entity)) : word(random);
  const order = random.pick(["asc", "desc", "ASC", undefined, word(random), 1]);
  return random.chance(0.9) ? { field, ...(order === undefined ? {} : { order }) } : [field, order];
}

/** Parameters beside the query, right and wrong. */
export function parameters(place: QueryPlace, random: Random): Parameter[] {
  const makers: Record<string, () => string> = {
    order_by: () =>
      random.chance(0.9)
        ? JSON.stringify(Array.from({ length: random.integer(0, 3) }, () => ordering(place.entity, random)))
        : mutated('[{"field":"certname","order":"asc"}]', random),
    limit: () => (random.chance(0.8) ? String(random.integer(0, 50)) : numberText(random)),
    offset: () => (random.chance(0.8) ? String(random.integer(0, 50)) : numberText(random)),
    include_total: () => random.pick(["true", "false", "1", word(random)]),
    pretty: () => random.pick(["true", "false", word(random)]),
    explain: () => random.pick(["analyze", "plan", "true", word(random)]),
    ast_only: () => random.pick(["true", "false"]),
    timeout: () => random.pick(["1", "2.5", "5", numberText(random)]),
    origin: () => word(random),
    include_facts_expiration: () => random.pick(["true", word(random)]),
    as_of: () => timeText(random),
    include_package_inventory: () => random.pick(["true", word(random)]),
    optimize_drop_unused_joins: () => random.pick(["true", word(random)]),
    distinct_resources: () => random.pick(["true", "false", word(random)]),
    distinct_start_time: () => timeText(random),
    distinct_end_time: () => timeText(random),
  };
  const chosen = random.sample(Object.keys(makers), random.chance(0.4) ? 0 : random.integer(1, 3));
  const counting: Record<string, () => string> = place.isCounting
    ? {
        summarize_by: () => random.pick(["certname", "resource", "containing_class", word(random)]),
        ...(random.chance(0.3) ? { count_by: () => random.pick(["resource", "certname", word(random)]) } : {}),
        ...(random.chance(0.3)
          ? {
              counts_filter: () =>
                random.pick(['[">","failures",0]', '["=","successes",1e400]', mutated('["<","noops",5]', random)]),
            }
          : {}),
      }
    : {};
  if (place.entity === "events" && random.chance(0.5))
    chosen.push(...Object.keys(makers).filter((name) => name.startsWith("distinct")));
  const all = { ...makers, ...counting };
  return [...new Set([...chosen, ...Object.keys(counting)])].map((name) => [name, all[name]?.() ?? ""] as const);
}

/** A request for rows by GET, or as a POST with the parameters in its body. */
export function queryAttack(
  kind: string,
  place: QueryPlace,
  query: string,
  others: readonly Parameter[],
  random: Random,
): Attack {
  const path = pathOf(place, random);
  const route = `query/${place.path}`;
  const accept: Record<string, string> = random.chance(0.9) ? {} : { "accept-encoding": "gzip" };
  const given: Parameter[] = [["query", query], ...others];
  const isLong = query.length > 6000;
  if (!isLong && random.chance(0.7)) {
    return { transport: "http", kind, route, method: "GET", path, parameters: given, headers: accept };
  }
  const fields = given.map(([name, value]) => `${JSON.stringify(name)}:${inBody(name, value)}`);
  const body = Buffer.from(`{${fields.join(",")}}`);
  const headers = { ...accept, "content-type": "application/json" };
  return { transport: "http", kind, route, method: "POST", path, parameters: [], headers, body };
}

/** In a POST, what a GET has as the text of JSON may be JSON itself. */
function inBody(name: string, value: string): string {
  const isJson = ["query", "order_by", "limit", "offset", "counts_filter"].includes(name) && /^[[{\d-]/.test(value);
  return isJson ? value : JSON.stringify(value);
}
