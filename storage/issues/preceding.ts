import { count, json, list, loose, moment, number, object, oneOf, type Shaped } from "../shape.ts";

/** What is recorded of changes; `node` is all of the node and its catalog besides resources. In the order in which equals are listed. */
export const precedingKinds = ["node", "resource", "package", "fact"] as const;

export type PrecedingKind = (typeof precedingKinds)[number];

const change = object({
  kind: oneOf(precedingKinds),
  path: list(
    loose<string | number>({ type: ["string", "integer"] }),
    "Of a fact its path, of a package its name and provider, of a resource its type and title, else the name of the value",
  ),
  change: oneOf(["added", "removed", "changed"]),
  after: json("A fact's value, a package's versions, an environment; of a resource null"),
  selected: count("Nodes with the issue that had the change before it"),
  rest: count("Other nodes that had the change"),
  score: number("The share of the nodes with the issue, less the share of the others; above 0"),
});

/** A change that nodes had before they failed, and that others had not. */
export type PrecedingChange = Shaped<typeof change>;

/** What changed shortly before nodes had an issue, and not on others. */
export const precedingShape = object({
  selected: count("Nodes with the issue"),
  rest: count("Other nodes that they are compared with"),
  from: moment("Since when changes of the other nodes count"),
  to: moment("The last of the first failures, until which they count"),
  total: count("Changes, of which some may not be listed"),
  changes: list(change, "The greatest difference first"),
});

export type Preceding = Shaped<typeof precedingShape>;
