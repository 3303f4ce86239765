import { type AnswerArguments, answerOptions } from "../output/answer.ts";
import { type SourceArguments, sourceOptions } from "../sources/options.ts";
import { limitOption } from "../sources/paging.ts";

/** The options of all short forms, besides their own filters. */
export const shortFormOptions = {
  ...sourceOptions,
  ...answerOptions,
  pql: { type: "boolean", description: "Print the query in PQL instead of running it", group: "output" },
  limit: limitOption,
} as const;

/** The values of {@link shortFormOptions}. */
export interface ShortFormArguments extends SourceArguments, AnswerArguments {
  readonly pql?: boolean | undefined;
  readonly limit?: string | undefined;
}
