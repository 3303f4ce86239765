import { count, list, number, object, type Shaped, text } from "../../shape.ts";

const slowType = object({
  type: text("As agents name it, such as `exec`"),
  seconds: number("That all of these runs spent on its resources"),
  runs: count("Runs with such resources"),
  longest: number("Seconds of the run that spent the most"),
  certname: text("The node of that run"),
  report: text("The hash of its report"),
});

/** The types of resources that the latest runs of active nodes spent their time on. */
export const slowestTypesShape = object({ types: list(slowType, "Those that took most of all first") });

export type SlowestTypes = Shaped<typeof slowestTypesShape>;

const slowerNode = object({
  certname: text(),
  earlier: number("Seconds that half of its earlier runs took at most"),
  recent: number("Seconds that half of its recent runs took at most"),
  factor: number("`recent` by `earlier`"),
  runs: count("Earlier runs"),
});

/** Nodes whose recent runs take longer than their own before. */
export const slowerNodesShape = object({ nodes: list(slowerNode, "Those that grew most first") });

export type SlowerNodes = Shaped<typeof slowerNodesShape>;
