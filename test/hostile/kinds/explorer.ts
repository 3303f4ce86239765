import { rowFormatKeys } from "#storage/output/format-names.ts";
import type { Random } from "#fixtures/random.ts";
import { escaped, type HttpAttack, type Parameter } from "../attack.ts";
import { entityNames, fieldsOf } from "./fields.ts";
import { wild } from "./payloads.ts";
import { pqlText } from "./pql.ts";
import { mutated, numberText, timeText, word } from "./words.ts";

const base = "/explorer/api/v1";

type Maker = (random: Random) => string;

/** Mostly what the endpoint is made for, else anything. */
function nearly(maker: Maker): Maker {
  return (random) => {
    if (random.chance(0.85)) return maker(random);
    return random.chance(0.5) ? mutated(maker(random), random) : word(random).slice(0, 400);
  };
}

const entity: Maker = (random) => random.pick(entityNames);

/** A query without columns, as most endpoints take it. */
const selection = nearly((random) => (random.chance(0.5) ? `${entity(random)}{}` : pqlText(random)));

const field = nearly((random) =>
  random.weighted<Maker>([
    [() => random.pick(fieldsOf(entity(random))), 6],
    [() => "state", 1],
    [() => 'facts.mountpoints."/".size', 1],
    [() => "parameters.ensure", 1],
    [() => `${random.pick(fieldsOf(entity(random)))},${random.pick(fieldsOf(entity(random)))}`, 2],
  ])(random),
);

const filter = nearly((random) => `${field(random)}${random.pick(["=", "!="])}${wild(random, 1)}`);

const time = nearly((random) => timeText(random));

/** Parameters of each endpoint; those with several makers are repeated. */
const endpoints: Readonly<Record<string, readonly (readonly [name: string, maker: Maker, chance: number])[]>> = {
  about: [],
  facets: [
    ["query", selection, 0.97],
    ["facet", field, 0.95],
    ["facet", field, 0.4],
    ["filter", filter, 0.4],
    ["filter", filter, 0.2],
    ["limit", nearly(numberText), 0.4],
    ["like", word, 0.3],
    ["per", field, 0.3],
  ],
  histogram: [
    ["query", selection, 0.97],
    ["field", nearly((random) => random.pick(["producer_timestamp", "timestamp", "end_time", "receive_time"])), 0.9],
    ["by", nearly((random) => random.pick(["status", "corrective_change", "noop", "environment"])), 0.9],
    ["from", time, 0.9],
    ["to", time, 0.9],
    ["buckets", nearly((random) => String(random.integer(0, 210))), 0.6],
    ["zone", nearly((random) => random.pick(["UTC", "Europe/Berlin", "Asia/Kathmandu", "Local"])), 0.5],
  ],
  issues: [
    ["env", word, 0.3],
    ["query", selection, 0.3],
    ["last", nearly((random) => random.pick(["24h", "7d", "0m", "9999d", "1w"])), 0.6],
    ["from", time, 0.2],
    ["to", time, 0.2],
    ["kind", nearly((random) => random.pick(["resource", "catalog", "run", "hidden"])), 0.3],
    ["type", word, 0.2],
    ["class", word, 0.2],
    ["certname", word, 0.2],
    ["limit", nearly(numberText), 0.3],
  ],
  "issues/v2-0123456789ab": [["last", nearly(() => "7d"), 0.5]],
  rows: [
    ["query", nearly((random) => pqlText(random)), 0.97],
    ["format", nearly((random) => random.pick(rowFormatKeys)), 0.9],
    ["name", word, 0.4],
  ],
};

/** Requests of the explorer's pages, right and wrong. */
export function explorer(random: Random): HttpAttack {
  const name = random.pick(Object.keys(endpoints));
  const given = (endpoints[name] ?? []).flatMap(([key, maker, chance]): Parameter[] =>
    random.chance(chance) ? [[key, maker(random)]] : [],
  );
  const odd: Parameter[] = random.chance(0.1) ? [[word(random).slice(0, 50), word(random).slice(0, 300)]] : [];
  const place = random.chance(0.9) ? `${base}/${name}` : `/explorer/${escaped(word(random).slice(0, 200))}`;
  const request = {
    transport: "http",
    kind: "explorer",
    route: place.startsWith(base) ? `explorer ${name}` : "explorer pages",
    headers: {},
  } as const;
  if (random.chance(0.75)) {
    const method = random.chance(0.95) ? "GET" : random.pick(["HEAD", "PUT", "DELETE"]);
    return { ...request, method, path: place, parameters: [...given, ...odd] };
  }
  const text = random.chance(0.9) ? JSON.stringify(asObject([...given, ...odd])) : wild(random, 3);
  const body = Buffer.from(random.chance(0.85) ? text : mutated(text, random));
  const headers = { "content-type": "application/json" };
  return { ...request, method: "POST", path: place, parameters: [], headers, body };
}

/** Repeated names become lists, as the pages send them. */
function asObject(parameters: readonly Parameter[]): Record<string, unknown> {
  const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of parameters) {
    const before = object[name];
    object[name] =
      before === undefined ? value : [...(Array.isArray(before) ? (before as unknown[]) : [before]), value];
  }
  return object;
}
