import { UsageError } from "../errors.ts";

/**
 * The action and the name of a command line.
 * @throws UsageError for an unknown action, and where the name is missing, superfluous or odd
 */
export function readAction<const A extends string>(
  command: string,
  actions: readonly A[],
  { action: given, name }: { readonly action: string; readonly name?: string | undefined },
): { readonly action: A; readonly name: string } {
  const action = actions.find((known) => known === given);
  if (action === undefined) {
    throw new UsageError(`${command}: ACTION must be one of ${actions.join(", ")}, not ${JSON.stringify(given)}`);
  }
  if (action === "list") {
    if (name !== undefined) throw new UsageError(`${command}: list takes no name`);
    return { action, name: "" };
  }
  if (name === undefined) throw new UsageError(`${command}: missing argument NAME; see census ${command} --help`);
  if (!/^[^\s"\\\p{C}]{1,128}$/u.test(name)) {
    throw new UsageError(`${command}: NAME must not contain spaces, quotes or backslashes: ${JSON.stringify(name)}`);
  }
  return { action, name };
}
