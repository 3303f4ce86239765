import { parseArgs } from "node:util";
import { CensusError, messageOf } from "#storage/errors.ts";

/**
 * Reads a command line on which every option is a whole number.
 * @param defaults the options by name, with what each is unless given
 * @returns undefined when help was requested
 * @throws CensusError (bad-input) for options that do not exist or do not parse
 */
export function readNumbers<Name extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> | undefined {
  const names = Object.keys(defaults) as Name[];
  const given = parse(args, defaults);
  if (given["help"] === true) return undefined;
  const numbers = names.map((name) => {
    const text = String(given[name]);
    if (!/^\d{1,9}$/.test(text)) throw new CensusError("bad-input", `--${name} ${text}: expected a whole number`);
    return [name, Number(text)] as const;
  });
  return Object.fromEntries(numbers) as Record<Name, number>;
}

function parse(args: readonly string[], defaults: Readonly<Record<string, number>>) {
  const options = Object.entries(defaults).map(([name, value]) => {
    return [name, { type: "string" as const, default: String(value) }] as const;
  });
  try {
    const help = { type: "boolean", short: "h" } as const;
    const { values } = parseArgs({ args: [...args], options: { ...Object.fromEntries(options), help } });
    return values as Readonly<Record<string, string | boolean | undefined>>;
  } catch (error) {
    throw new CensusError("bad-input", messageOf(error), { cause: error });
  }
}
