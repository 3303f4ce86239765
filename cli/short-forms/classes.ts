import { usedName } from "../names/used-name.ts";
import { readLimit } from "../sources/paging.ts";
import { largestFirst } from "./groups.ts";
import { nodesForm } from "./nodes.ts";
import type { ShortFormArguments } from "./options.ts";
import { matching, pqlText } from "./pql.ts";
import { typeName } from "#storage/display/type-name.ts";
import type { ShortForm } from "./run.ts";

/** What `census classes` takes. */
export interface ClassesArguments extends ShortFormArguments {
  readonly name?: string | undefined;
}

/** Classes with the number of nodes that have them, or the nodes that have one. */
export function classesForm({ name, ...args }: ClassesArguments): ShortForm {
  if (name !== undefined && !name.includes("*")) return { ...nodesForm({ ...args, class: name }), name: "classes" };
  const text = pqlText({
    entity: "resources",
    fields: ["title", "count()"],
    conditions: ['type = "Class"', matching("title", name === undefined ? undefined : typeName(name))],
    order: ["group by title"],
  });
  return {
    name: "classes",
    names: usedName("class", name),
    query: () => text,
    fold: {
      rows: (rows) =>
        largestFirst(
          rows.map(({ title = null, count = null }) => ({ class: title, count })),
          "count",
        ),
      limit: readLimit(args.limit),
    },
  };
}
