import { type ArgsDef, type CommandDef, runCommand } from "citty";

/** A command of the program: its declaration, and how it is run. */
export interface Command {
  readonly name: string;
  /** One line: what it does. */
  readonly description: string;
  /** What it takes; citty's declarations, which help and checking walk. */
  readonly args: ArgsDef;
  /** The last positional may be given any number of times; all of them are in citty's `args._`. */
  readonly repeats?: boolean | undefined;
  /** Command lines to copy, without the program's name. */
  readonly examples: readonly string[];
  /** @returns the exit code */
  run(words: readonly string[]): Promise<number>;
}

/** A command as its file declares it. */
export interface CommandDeclaration<T extends ArgsDef> {
  readonly name: string;
  readonly description: string;
  readonly args: T;
  readonly repeats?: boolean;
  readonly examples: readonly string[];
  /** What it returns is the exit code; nothing is 0. */
  readonly run: NonNullable<CommandDef<T>["run"]>;
}

/** Makes a command of its declaration. */
export function declareCommand<const T extends ArgsDef>(declaration: CommandDeclaration<T>): Command {
  const { name, description, args, examples, repeats, run } = declaration;
  const definition: CommandDef<T> = { meta: { name, description }, args, run };
  return {
    name,
    description,
    args,
    examples,
    repeats,
    run: async (words) => {
      const given = { ...definition, args: concerned(args, words) as T };
      const { result } = await runCommand(given, { rawArgs: [...words] });
      return typeof result === "number" ? result : 0;
    },
  };
}

/** The declarations that a command line has to do with: citty takes its time over each, and settings are ninety. */
function concerned(args: ArgsDef, words: readonly string[]): ArgsDef {
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.slice(2).replace(/=.*/s, ""));
  const named = new Set(options.flatMap((option) => [option, option.replace(/^no-/, "")]));
  return Object.fromEntries(
    Object.entries(args).filter(
      ([name, declaration]) =>
        declaration.type === "positional" ||
        "alias" in declaration ||
        declaration.default !== undefined ||
        named.has(name),
    ),
  );
}
