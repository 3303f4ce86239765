import type { EnumArgDef } from "citty";
import type { ArgumentsOf } from "../option-groups.ts";
import { answerOptions } from "../output/answer.ts";
import { stateOptions } from "../sources/options.ts";
import { limitOption, pagingOptions } from "../sources/paging.ts";
import { eventGroups } from "./event-groups.ts";

/** Options of all short forms, besides their own filters. */
export const shortFormOptions = {
  ...stateOptions,
  ...answerOptions,
  pql: { type: "boolean", description: "Print the query in PQL instead of running it", group: "output" },
  limit: limitOption,
  "order-by": pagingOptions["order-by"],
} as const;

/** Of commands that list events. */
export const groupByOption = {
  type: "enum",
  options: [...eventGroups],
  description: "Count events by resource, node, class or message (without its numbers and names)",
} as const satisfies EnumArgDef;

/** The values of {@link shortFormOptions}. */
export type ShortFormArguments = ArgumentsOf<typeof shortFormOptions>;
