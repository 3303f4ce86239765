import { compareBytewise } from "#storage/bytewise.ts";
import type { JsonObject } from "#storage/json.ts";
import { cellText } from "#storage/output/cells.ts";
import { membersOf } from "../output/rows.ts";
import { readLimit } from "../sources/paging.ts";
import { betweenMoments, type Moments } from "./between.ts";
import { checkRecorded, readAll } from "./log.ts";
import type { ShortFormArguments } from "./options.ts";
import { equal, pqlText } from "./pql.ts";
import type { ShortForm } from "./run.ts";

/** What `census log --commonest` takes. */
export interface CommonestArguments extends Omit<ShortFormArguments, "pql">, Moments {
  readonly certname?: string | undefined;
}

/** Resources are counted without their content: it is rarely the same on two nodes. */
const counted: readonly (readonly [entity: string, fields: readonly string[], condition?: string])[] = [
  ["fact_changes", ["what", "change", "before", "after"]],
  ["resource_changes", ["what", "change"]],
  ["package_changes", ["what", "change", "before", "after"]],
  [
    "catalog_changes",
    ["what", "change", "before", "after"],
    'what in ["environment", "code_id", "producer", "facts_environment", "facts_producer", "state"]',
  ],
];

/** The changes that were recorded most often, of all nodes together. */
export function commonestForm(args: CommonestArguments): ShortForm {
  const between = betweenMoments("from", args);
  let others: readonly string[] = [];
  return {
    name: "log",
    query: (now) => {
      const [first = "", ...rest] = counted.map(([entity, fields, condition]) =>
        pqlText({
          entity,
          fields: [...fields, "count()"],
          conditions: [condition, equal("certname", args.certname), ...between(now)],
          order: [`group by ${fields.join(", ")}`],
        }),
      );
      others = rest;
      return first;
    },
    fold: {
      limit: readLimit(args.limit),
      rows: async (rows, readRows) => {
        const found = [...rows, ...(await readAll(others, readRows))];
        if (found.length === 0) await checkRecorded(readRows);
        return found.map((row) => membersOf(row, "count", "what", "change", "before", "after")).sort(mostFirst);
      },
    },
  };
}

function mostFirst(one: JsonObject, other: JsonObject): number {
  return (
    Number(other["count"]) - Number(one["count"]) || compareBytewise(cellText(one["what"]), cellText(other["what"]))
  );
}
