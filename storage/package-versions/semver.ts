import { numberKey } from "./number-key.ts";

const form = /^v?(?<core>\d+(?:\.\d+){0,3})(?:-(?<before>[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Chocolatey's versions may have a fourth number. */
const NUMBERS = 4;
const END = "!";

/**
 * The order of Semantic Versioning; missing numbers are 0, build metadata does not count.
 * @returns undefined where it is no such version
 */
export function semverKey(version: string): string | undefined {
  const { core, before } = form.exec(version)?.groups ?? {};
  if (core === undefined) return undefined;
  const numbers = core.split(".");
  const coreKey = Array.from({ length: NUMBERS }, (_, index) => numberKey(numbers[index] ?? "")).join("");
  return before === undefined ? `${coreKey}~` : coreKey + before.split(".").map(identifierKey).join("") + END;
}

/** Numbers sort before texts. */
function identifierKey(identifier: string): string {
  return /^\d+$/.test(identifier) ? `N${numberKey(identifier)}` : `T${identifier}${END}`;
}
