import type { JsonObject } from "#storage/json.ts";
import { UsageError } from "../errors.ts";
import { printable } from "../output/printable.ts";
import { counted } from "../output/counted.ts";
import { usedName } from "../names/used-name.ts";
import { readLimit } from "../sources/paging.ts";
import type { ShortFormArguments } from "./options.ts";
import { countOf, largestFirst, remarkOnCount, sumOf } from "./groups.ts";
import { dotted, equal, pqlText } from "./pql.ts";
import type { Fold, ShortForm } from "./run.ts";

/** What `census facts` takes. */
export interface FactsArguments extends Omit<ShortFormArguments, "output"> {
  readonly certname?: string | undefined;
  readonly fact?: string | undefined;
  readonly name?: string | undefined;
  readonly count?: boolean | undefined;
}

/** Facts: of a node, of one name, or which there are. */
export function factsForm(args: FactsArguments): Omit<ShortForm, "write"> {
  const { certname, count } = args;
  if (args.fact !== undefined && args.name !== undefined) {
    throw new UsageError("facts: the argument FACT and --name cannot be used together");
  }
  const name = args.fact ?? args.name;
  const limit = readLimit(args.limit);
  const named = {
    names: [...usedName("certname", certname), ...usedName("fact", name)],
    withFullName: (full: string) => factsForm({ ...args, certname: full }),
  };
  if (count === true && name === undefined) throw new UsageError("facts: --count needs --name");
  if (name === undefined && certname === undefined) {
    const text = pqlText({ entity: "facts", fields: ["name", "count()"], conditions: [], order: ["group by name"] });
    return { name: "facts", query: () => text, fold: { rows: (rows) => largestFirst(rows, "count"), limit } };
  }
  if (name === undefined) {
    const conditions = [equal("certname", certname)];
    const text = pqlText({ entity: "facts", fields: ["name", "value"], conditions, order: ["order by name"], limit });
    return { name: "facts", ...named, isLimited: limit !== undefined, query: () => text };
  }
  const isPart = name.includes(".");
  const field = isPart ? dotted("facts", name) : "value";
  const text = pqlText({
    entity: isPart ? "inventory" : "facts",
    fields: count === true ? [field, "count()"] : ["certname", field],
    conditions: [equal("certname", certname), isPart ? `${field} is not null` : equal("name", name)],
    order: count === true ? [`group by ${field}`] : ["order by certname"],
    limit: count === true ? undefined : limit,
  });
  const shape = (row: JsonObject): JsonObject => {
    const { certname: of, count: number } = row;
    const value = Object.entries(row).find(([key]) => key === field || key.startsWith("facts."))?.[1] ?? null;
    return {
      ...(of === undefined ? {} : { certname: of }),
      value,
      ...(number === undefined ? {} : { count: number }),
    };
  };
  if (count !== true) return { name: "facts", ...named, isLimited: limit !== undefined, query: () => text, shape };
  const nodes = pqlText({ entity: "nodes", fields: ["count()"], conditions: [equal("certname", certname)] });
  const rows: Fold["rows"] = async (found, readRows) => withThoseWithout(found.map(shape), await readRows(nodes));
  const withFact = isPart
    ? pqlText({ entity: "inventory", fields: ["certname"], conditions: [`${field} is not null`] })
    : pqlText({ entity: "facts", fields: ["certname"], conditions: [equal("name", name)] });
  const leftOut: ShortForm["leftOut"] = {
    query: () =>
      pqlText({
        entity: "nodes",
        fields: ["count()"],
        conditions: [equal("certname", certname), `! certname in ${withFact}`],
      }),
    remark: (found) =>
      remarkOnCount(found, (number) => `${counted(number, "node")} without the fact ${printable(name)}`),
  };
  return { name: "facts", ...named, query: () => text, fold: { rows, limit }, leftOut };
}

/** Adds the nodes that do not have the fact, as null. */
function withThoseWithout(groups: readonly JsonObject[], [all]: readonly JsonObject[]): JsonObject[] {
  const withValue = groups.filter(({ value }) => value !== null);
  const without = (all === undefined ? 0 : countOf(all)) - sumOf(withValue);
  return largestFirst([...withValue, ...(without > 0 ? [{ value: null, count: without }] : [])], "count");
}
