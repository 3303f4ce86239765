import type { Json, JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { pqlString } from "#storage/query/pql/string-text.ts";
import { pathText } from "#storage/diff/values.ts";
import { UsageError } from "../errors.ts";
import { matching, pqlText } from "../short-forms/pql.ts";
import type { ReadRows } from "../sources/read-rows.ts";

/** Of what a node and its group are compared. */
interface Compared {
  readonly kind: string;
  readonly entity: string;
  /** The fields that name a thing, and the one whose value the group may agree on; absent: it is there, or not. */
  readonly name: readonly string[];
  readonly value?: string;
  readonly condition?: string;
  readonly text: (row: JsonObject) => string;
}

const textOf = (row: JsonObject, field: string): string => cellText(row[field]);

const compared: readonly Compared[] = [
  {
    kind: "fact",
    entity: "fact_contents",
    name: ["path"],
    value: "value",
    text: ({ path }) =>
      Array.isArray(path)
        ? pathText(path.map((part) => (typeof part === "number" ? part : cellText(part))))
        : cellText(path),
  },
  {
    kind: "class",
    entity: "resources",
    name: ["title"],
    condition: 'type = "Class"',
    text: (row) => textOf(row, "title"),
  },
  {
    kind: "resource",
    entity: "resources",
    name: ["type", "title"],
    condition: '!(type = "Class")',
    text: (row) => `${textOf(row, "type")}[${textOf(row, "title")}]`,
  },
  {
    kind: "package",
    entity: "package_inventory",
    name: ["package_name", "provider"],
    value: "version",
    text: (row) => textOf(row, "package_name"),
  },
];

/**
 * What sets a node apart from a group of others: what it has and none of them, what all of them have and it has not, and where
 * all of them have one value and it has another.
 * @param group a pattern of certnames, such as `web-*`; the node itself is not of it
 * @throws UsageError where no other node matches
 */
export async function outliers(certname: string, group: string, readRows: ReadRows): Promise<JsonObject[]> {
  const own = `certname = ${pqlString(certname)}`;
  const others = [matching("certname", group), `!(${own})`];
  const [row] = await readRows(pqlText({ entity: "nodes", fields: ["count()"], conditions: others }));
  const size = Number(cellText(row?.["count"]));
  if (size === 0) throw new UsageError(`node: no other node matches ${JSON.stringify(group)}`);
  const rows = await Promise.all(
    compared.map(async (what) => {
      const { entity, name, value, condition } = what;
      const fields = [...name, ...(value === undefined ? [] : [value])];
      const [mine, theirs] = await Promise.all([
        readRows(pqlText({ entity, fields, conditions: [own, condition] })),
        readRows(
          pqlText({
            entity,
            fields: [...fields, "count()"],
            conditions: [...others, condition],
            order: [`group by ${fields.join(", ")}`],
          }),
        ),
      ]);
      return apart(what, mine, theirs, size);
    }),
  );
  return rows.flat();
}

function apart(what: Compared, mine: readonly JsonObject[], theirs: readonly JsonObject[], size: number): JsonObject[] {
  const { kind, name, value, text } = what;
  const keyOf = (row: JsonObject): string => JSON.stringify(name.map((field) => cellText(row[field])));
  const valueOf = (row: JsonObject | undefined): Json =>
    row === undefined ? null : value === undefined ? "present" : (row[value] ?? null);
  const own = new Map(mine.map((row) => [keyOf(row), row]));
  const ofGroup = Map.groupBy(theirs, keyOf);
  const found: JsonObject[] = [];
  const add = (row: JsonObject, node: Json, others: Json): void => {
    found.push({ kind, name: text(row), node, others });
  };
  for (const [key, row] of own) if (!ofGroup.has(key)) add(row, valueOf(row), null);
  for (const [key, [first, ...more]] of ofGroup) {
    // Values that differ in the group say nothing about the node.
    if (first === undefined || more.length > 0 || Number(cellText(first["count"])) !== size) continue;
    const row = own.get(key);
    if (row === undefined || cellText(valueOf(row)) !== cellText(valueOf(first))) {
      add(first, valueOf(row), valueOf(first));
    }
  }
  return found.sort((a, b) => (textOf(a, "name") < textOf(b, "name") ? -1 : 1));
}
