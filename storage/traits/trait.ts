import { count, type Described, json, list, loose, number, object, oneOf, optional, type Shaped } from "../shape.ts";

/** What sets nodes apart, in the order in which equals are listed. */
export const traitKinds = ["environment", "producer", "class", "package", "fact"] as const;

export type TraitKind = (typeof traitKinds)[number];

const trait = {
  kind: oneOf(traitKinds),
  path: list(
    loose<string | number>({ type: ["string", "integer"] }),
    "Of a fact its path, of a class its title, of a package its name and provider; else empty",
  ),
  value: optional(
    json(
      "A fact's value, a package's version, an environment, a producer; of a class true. Absent: the nodes have none",
    ),
  ),
};

/** Something that nodes have in common, or have not. */
export type Trait = Described<typeof trait>;

const difference = object({
  ...trait,
  selected: count("Selected nodes with it"),
  rest: count("Other nodes with it"),
  score: number("The share of the selected nodes with it, less the share of the others: from -1 to 1"),
});

/** A trait that is more or less frequent among the selected nodes than among the others. */
export type Difference = Shaped<typeof difference>;

/** What sets a selection of nodes apart from others. */
export const differencesShape = object({
  selected: count("Selected nodes"),
  rest: count("Nodes that they are compared with"),
  total: count("Differences, of which some may not be listed"),
  differences: list(difference, "The greatest first"),
});

export type Differences = Shaped<typeof differencesShape>;
