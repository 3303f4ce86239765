import { Random } from "#fixtures/random.ts";
import type { Attack } from "../attack.ts";
import { archive } from "./archives.ts";
import { command } from "./commands.ts";
import { explorer } from "./explorer.ts";
import { large } from "./large.ts";
import { admin, jolokia, places } from "./places.ts";
import { ast, patterns, pql, values } from "./queries.ts";
import { raw, tls } from "./sockets.ts";
import { typed } from "./typed.ts";

/** Every kind of attack: how it is made, how often it comes, and what it is. */
export const kinds = {
  typed: { make: typed, weight: 14, shows: "queries that keep to the types of fields" },
  ast: { make: ast, weight: 15, shows: "queries in AST, on every route with every parameter" },
  pql: { make: pql, weight: 14, shows: "queries in PQL" },
  patterns: { make: patterns, weight: 8, shows: "regular expressions" },
  values: { make: values, weight: 10, shows: "numbers and times as operands, functions" },
  large: { make: large, weight: 1, shows: "queries that are long, wide or deep" },
  command: { make: command, weight: 14, shows: "commands of every kind and version" },
  archive: { make: archive, weight: 1.5, shows: "archives that are imported and exported" },
  admin: { make: admin, weight: 2, shows: "maintenance on command" },
  places: { make: places, weight: 12, shows: "every path by every method, with odd headers" },
  jolokia: { make: jolokia, weight: 3, shows: "metrics by Jolokia's requests" },
  explorer: { make: explorer, weight: 8, shows: "requests of the explorer's pages" },
  raw: { make: raw, weight: 5, shows: "bytes on plain sockets" },
  tls: { make: tls, weight: 1.5, shows: "bytes on TLS sockets" },
} as const satisfies Record<string, { make: (random: Random) => Attack; weight: number; shows: string }>;

export type Kind = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as Kind[];

const weights = kindNames.map((kind) => [kind, kinds[kind].weight] as const);

/** The n-th attack of a seed: always the same. @param only of this kind, if given */
export function attackAt(seed: number, index: number, only?: Kind): Attack {
  const random = new Random("hostile", seed, index);
  return kinds[only ?? random.weighted(weights)].make(random);
}
