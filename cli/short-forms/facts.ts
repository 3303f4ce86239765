import { type JsonObject, stringifyJson } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { UsageError } from "../errors.ts";
import { printable } from "../output/printable.ts";
import { counted } from "../output/counted.ts";
import { usedName } from "../names/used-name.ts";
import { readLimit } from "../sources/paging.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import type { ShortFormArguments } from "./options.ts";
import { countOf, largestFirst, remarkOnCount, sumOf } from "./groups.ts";
import { equal, factField, factPath, pqlText } from "./pql.ts";
import type { Fold, ShortForm } from "./run.ts";

/** What `census facts` takes. */
export interface FactsArguments extends Omit<ShortFormArguments, "output"> {
  readonly certname?: string | undefined;
  readonly fact?: string | undefined;
  readonly name?: string | undefined;
  readonly count?: boolean | undefined;
  readonly duplicates?: boolean | undefined;
}

/** A fact, or a part of one, as it is queried. */
interface Selected {
  readonly name: string;
  readonly entity: "facts" | "inventory";
  /** Its value in a row. */
  readonly field: string;
  readonly condition: string | undefined;
}

/** Facts: of a node, of one name, or which there are. One argument is a node, else the fact of that name. */
export function factsForm(args: FactsArguments): ShortForm {
  const { count = false, duplicates = false } = args;
  if (args.fact !== undefined && args.name !== undefined) {
    throw new UsageError("facts: the argument FACT and --name cannot be used together");
  }
  if (count && duplicates) throw new UsageError("facts: --count and --duplicates cannot be used together");
  const name = args.fact ?? args.name;
  const limit = readLimit(args.limit);
  if ((count || duplicates) && name === undefined) {
    if (args.certname === undefined) throw new UsageError(`facts: --${count ? "count" : "duplicates"} needs a fact`);
    return factsForm({ ...args, certname: undefined, name: args.certname });
  }
  if (name === undefined && args.certname === undefined) {
    const text = pqlText({ entity: "facts", fields: ["name", "count()"], conditions: [], order: ["group by name"] });
    return { name: "facts", query: () => text, fold: { rows: (rows) => largestFirst(rows, "count"), limit } };
  }
  return name === undefined ? ofNode(args, limit) : ofName(args, selected(name), limit);
}

function ofNode(args: FactsArguments, limit: number | undefined): ShortForm {
  const { certname = "" } = args;
  const conditions = [equal("certname", certname)];
  const text = pqlText({ entity: "facts", fields: ["name", "value"], conditions, order: ["order by name"], limit });
  return {
    name: "facts",
    names: usedName("certname or fact", certname),
    withFullName: (full) => factsForm({ ...args, certname: full }),
    instead: async (readRows) => {
      const isNode = await isKnown(
        readRows,
        `nodes[certname] { certname = ${JSON.stringify(certname)} and node_state = "any" }`,
      );
      const [fact = certname] = isNode ? [] : factPath(certname);
      return !isNode && (await isFact(fact, readRows))
        ? factsForm({ ...args, certname: undefined, name: certname })
        : undefined;
    },
    isLimited: limit !== undefined,
    query: () => text,
  };
}

function ofName(args: FactsArguments, fact: Selected, limit: number | undefined): ShortForm {
  const { certname, count = false, duplicates = false } = args;
  const { name, entity, field, condition } = fact;
  const conditions = [equal("certname", certname), condition];
  const shared = {
    name: "facts",
    names: [...usedName("certname", certname), ...usedName("fact", name)],
    withFullName: (full: string) => factsForm({ ...args, certname: full }),
    // A dot may also belong to the name of the fact.
    instead: async (readRows: ReadRows) =>
      entity === "inventory" && (await isFact(name, readRows)) ? ofName(args, whole(name), limit) : undefined,
  };
  if (!count) {
    const text = pqlText({
      entity,
      fields: ["certname", field],
      conditions,
      order: ["order by certname"],
      limit: duplicates ? undefined : limit,
    });
    const shape = (row: JsonObject): JsonObject => shaped(row, field);
    const fold: Fold = { rows: (rows) => duplicated(rows.map(shape)), limit };
    return { ...shared, query: () => text, ...(duplicates ? { fold } : { shape, isLimited: limit !== undefined }) };
  }
  const text = pqlText({ entity, fields: [field, "count()"], conditions, order: [`group by ${field}`] });
  const nodes = pqlText({ entity: "nodes", fields: ["count()"], conditions: [equal("certname", certname)] });
  const withFact = pqlText({ entity, fields: ["certname"], conditions: [condition] });
  return {
    ...shared,
    query: () => text,
    fold: {
      rows: async (found, readRows) => {
        return withThoseWithout(
          found.map((row) => shaped(row, field)),
          await readRows(nodes),
        );
      },
      limit,
    },
    leftOut: {
      query: () =>
        pqlText({
          entity: "nodes",
          fields: ["count()"],
          conditions: [equal("certname", certname), `! certname in ${withFact}`],
        }),
      remark: (found) =>
        remarkOnCount(found, (number) => `${counted(number, "node")} without the fact ${printable(name)}`),
    },
  };
}

function selected(name: string): Selected {
  const [fact = name, ...inside] = factPath(name);
  if (inside.length === 0) return whole(fact);
  const field = factField(name);
  return { name, entity: "inventory", field, condition: `${field} is not null` };
}

function whole(name: string): Selected {
  return { name, entity: "facts", field: "value", condition: equal("name", name) };
}

/** The value is named by its field, as the query writes it or without its quotes. */
function shaped(row: JsonObject, field: string): JsonObject {
  const { certname, count } = row;
  const value = Object.entries(row).find(([key]) => key === field || key.startsWith("facts."))?.[1] ?? null;
  return {
    ...(certname === undefined ? {} : { certname }),
    value,
    ...(count === undefined ? {} : { count }),
  };
}

/** Values that several nodes have, those of most nodes first. */
function duplicated(rows: readonly JsonObject[]): JsonObject[] {
  const groups = [...Map.groupBy(rows, ({ value = null }) => stringifyJson(value)).values()];
  const several = groups.filter((group) => group.length > 1);
  return largestFirst(
    several.map((group) => ({
      value: group[0]?.["value"] ?? null,
      count: group.length,
      certnames: group.map(({ certname }) => cellText(certname)),
    })),
    "count",
  );
}

async function isKnown(readRows: ReadRows, query: string): Promise<boolean> {
  return (await readRows(query)).length > 0;
}

async function isFact(name: string, readRows: ReadRows): Promise<boolean> {
  return isKnown(
    readRows,
    pqlText({ entity: "facts", fields: ["certname"], conditions: [equal("name", name)], limit: 1 }),
  );
}

/** Adds the nodes that do not have the fact, as null. */
function withThoseWithout(groups: readonly JsonObject[], [all]: readonly JsonObject[]): JsonObject[] {
  const withValue = groups.filter(({ value }) => value !== null);
  const without = (all === undefined ? 0 : countOf(all)) - sumOf(withValue);
  return largestFirst([...withValue, ...(without > 0 ? [{ value: null, count: without }] : [])], "count");
}
