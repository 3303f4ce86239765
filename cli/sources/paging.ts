import { UsageError } from "../errors.ts";
import type { ArgumentsOf } from "../option-groups.ts";
import type { Paging } from "./open-source.ts";

/** The option of every command that lists rows. */
export const limitOption = { type: "string", valueHint: "N", description: "Maximum rows" } as const;

/** The options for the part of a result that is wanted. */
export const pagingOptions = {
  limit: limitOption,
  offset: { type: "string", valueHint: "N", description: "Skip the first N rows" },
  "order-by": {
    type: "string",
    valueHint: "FIELDS",
    description: "Sort by these columns, e.g. 'report_timestamp desc, certname'",
  },
} as const;

/** The values of {@link pagingOptions}. */
export type PagingArguments = ArgumentsOf<typeof pagingOptions>;

/** @throws UsageError naming the option whose value cannot be used */
export function readPaging(args: PagingArguments): Paging {
  return { limit: readLimit(args.limit), offset: readOffset(args.offset), orderBy: readOrderBy(args["order-by"]) };
}

/** @throws UsageError when it is not a number */
export function readLimit(text: string | undefined, usual?: number): number | undefined {
  if (text === undefined) return usual;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw new UsageError(`--limit must be a number above 0, not ${JSON.stringify(text)}`);
}

function readOffset(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--offset must be a number, not ${JSON.stringify(text)}`);
}

/** @throws UsageError when it is not a list of fields */
export function readOrderBy(text: string | undefined): Paging["orderBy"] {
  return text?.split(",").map((part) => {
    const { field, direction = "asc" } =
      /^\s*(?<field>\S+)(?:\s+(?<direction>asc|desc))?\s*$/i.exec(part)?.groups ?? {};
    if (field === undefined) {
      throw new UsageError(
        `--order-by must be fields, each with desc if the order is reversed, e.g. "report_timestamp desc, certname", not ${JSON.stringify(text)}`,
      );
    }
    return { field, descending: direction.toLowerCase() === "desc" };
  });
}
