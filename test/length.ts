import { isSet } from "./left-out.ts";

/**
 * How long a run is, as `TEST_LENGTH` says:
 * - short, the default: without the files `*.long.test.ts`, except where files are named, or in continuous integration
 * - full: every file
 * - long: every file, and more random commands, failures and nodes; before a release
 */
type Length = "short" | "full" | "long";

/** @throws Error for another length */
function lengthOf(text: string | undefined): Length {
  switch (text) {
    case undefined:
    case "":
      return isSet(process.env["CI"]) ? "full" : "short";
    case "short":
    case "full":
    case "long":
      return text;
    default:
      throw new Error(`TEST_LENGTH is ${JSON.stringify(text)}: write short, full or long`);
  }
}

const length = lengthOf(process.env["TEST_LENGTH"]);

/** Whether files that take long are left out, unless they are named. */
export const isShort = length === "short";

/** What differs in a long run. */
export function byLength<T>({ short, long }: { readonly short: T; readonly long: T }): T {
  return length === "long" ? long : short;
}
