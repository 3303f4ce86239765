import { UsageError } from "../errors.ts";

/**
 * The name of a command line, which every action but `list` needs.
 * @throws UsageError where it is missing, superfluous or odd
 */
export function readName(
  command: string,
  { action, name }: { readonly action: string; readonly name?: string | undefined },
): string {
  if (action === "list") {
    if (name !== undefined) throw new UsageError(`${command}: list takes no name`);
    return "";
  }
  if (name === undefined) throw new UsageError(`${command}: missing argument NAME; see census ${command} --help`);
  if (/^[^\s"\\\p{C}]{1,128}$/u.test(name)) return name;
  throw new UsageError(`${command}: NAME must not contain spaces, quotes or backslashes: ${JSON.stringify(name)}`);
}
