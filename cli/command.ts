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
      const { result } = await runCommand(definition, { rawArgs: [...words] });
      return typeof result === "number" ? result : 0;
    },
  };
}
