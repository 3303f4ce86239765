import { CensusError } from "../errors.ts";
import { type Json, type JsonObject, isObject, stringifyJson } from "../json.ts";
import { fieldList } from "../query/pql/path-text.ts";
import { wildcardExpression } from "../query/wildcard.ts";
import { type InventoryField, inventoryField } from "./field.ts";
import type { Host } from "./host.ts";

/** What an inventory lists. */
export interface InventorySpec {
  /** PQL whose rows have a certname. Default: all active nodes. */
  readonly query?: string | undefined;
  /** Fields by which nodes are grouped; `none` alone: by nothing. Default: the environment and the OS family. */
  readonly groupBy?: readonly string[];
  /** Names of classes, with `*` for any characters, by which nodes are grouped. */
  readonly classes?: readonly string[];
  /** Fields that become variables. */
  readonly variables?: readonly string[];
  /** The fact with the address of a node. */
  readonly address?: string | undefined;
}

/** Runs a query in PQL. */
export type ReadRows = (pql: string) => Promise<readonly JsonObject[]>;

/**
 * Reads the nodes of an inventory, ordered by certname.
 * @throws CensusError "bad-input" for a field that is none, or a query whose rows have no certname
 */
export async function readHosts(readRows: ReadRows, spec: InventorySpec): Promise<Host[]> {
  const groupBy = groupFields(spec.groupBy);
  const variables = (spec.variables ?? []).map((text) => inventoryField("var", text));
  const address = spec.address === undefined ? undefined : inventoryField("address", spec.address);
  const { classes = [] } = spec;

  const rows = await readRows(spec.query ?? "nodes[certname]{}");
  const names = [...new Set(rows.map(certnameOf))].sort();
  // A query with more names would be too long.
  const limited = spec.query !== undefined && names.length <= 2000;
  const among = limited ? `certname in [${names.map((name) => JSON.stringify(name)).join(", ")}]` : undefined;
  const fields = [...groupBy, ...variables, ...(address === undefined ? [] : [address])].map(({ pql }) => pql);
  const facts = names.length === 0 ? new Map() : await readFacts(readRows, [...new Set(fields)], among);
  const listed = names.length === 0 ? new Map() : await readClasses(readRows, classes, among);
  return names.map((certname) => {
    const row = facts.get(certname) ?? {};
    const place = address === undefined ? undefined : hostText(row[address.pql]);
    return {
      certname,
      ...(place === undefined ? {} : { address: place }),
      labels: new Map(
        groupBy.flatMap(({ pql, label }) => {
          const text = hostText(row[pql]);
          return text === undefined ? [] : [[label, text] as const];
        }),
      ),
      classes: listed.get(certname) ?? [],
      variables: new Map(variables.flatMap((one) => variableOf(row, one))),
    };
  });
}

function groupFields(given: readonly string[] = ["environment", "facts.os.family"]): InventoryField[] {
  return given.length === 1 && given[0] === "none" ? [] : given.map((text) => inventoryField("group", text));
}

function certnameOf(row: JsonObject): string {
  const { certname } = row;
  if (typeof certname === "string") return certname;
  throw new CensusError(
    "bad-input",
    'query: its rows have no certname; write for example nodes[certname]{ latest_report_status = "failed" }',
  );
}

async function readFacts(
  readRows: ReadRows,
  fields: readonly string[],
  among: string | undefined,
): Promise<Map<string, JsonObject>> {
  if (fields.length === 0) return new Map();
  const rows = await readRows(
    `inventory[${fieldList(["certname", ...fields])}]{${among === undefined ? "" : ` ${among} `}}`,
  );
  return new Map(rows.map((row) => [certnameOf(row), row]));
}

async function readClasses(
  readRows: ReadRows,
  patterns: readonly string[],
  among: string | undefined,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  if (patterns.length === 0) return found;
  // Titles of classes begin with capitals in catalogs; users write them as in the code.
  const titles = patterns.map((text) => `title ~ ${JSON.stringify(`(?i)^${wildcardExpression(text)}$`)}`).join(" or ");
  const where = ['type = "Class"', `(${titles})`, ...(among === undefined ? [] : [among])].join(" and ");
  for (const row of await readRows(`resources[certname, title]{ ${where} }`)) {
    const [certname, title] = [certnameOf(row), hostText(row["title"]) ?? ""];
    const titlesOfNode = found.get(certname);
    if (titlesOfNode === undefined) found.set(certname, [title]);
    else titlesOfNode.push(title);
  }
  for (const titlesOfNode of found.values()) titlesOfNode.sort();
  return found;
}

function variableOf(row: JsonObject, { pql, label }: InventoryField): [string, Json][] {
  const value = row[pql];
  return value === undefined || value === null ? [] : [[label, value]];
}

/** A scalar as text; undefined for what there is not, and for lists and objects, which name no group. */
function hostText(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (value === undefined || value === null || Array.isArray(value) || isObject(value)) return undefined;
  return stringifyJson(value);
}
