import { type ArgsDef, type CommandContext, type CommandDef, runCommand } from "citty";

/** All commands of the program: what `help` and `completion` work with. */
export interface CommandList {
  /** In the order in which help lists them, with its headings. */
  readonly groups: readonly { readonly title: string; readonly names: readonly string[] }[];
  /** The commands of all groups. */
  readonly names: readonly string[];
  /** Undefined when there is no command of this name. */
  load(name: string): Promise<Command | undefined>;
  loadAll(): Promise<Command[]>;
}

/** A command of the program: its declaration, and how to run it. */
export interface Command {
  readonly name: string;
  /** One line: what it does. */
  readonly description: string;
  /** citty's declarations of its arguments and options; help, completion and the check of arguments walk them. */
  readonly args: ArgsDef;
  /** The last argument may be repeated; all of them are in citty's `args._`. */
  readonly repeats?: boolean | undefined;
  /** Options of other commands that this one cannot have, without `--`: why, and what to use instead. */
  readonly refuses?: Readonly<Record<string, string>> | undefined;
  /** Command lines to copy, without the program's name. */
  readonly examples: readonly string[];
  /**
   * @param words the arguments after the command's name
   * @returns the exit code
   */
  run(words: readonly string[], commands: CommandList): Promise<number>;
}

/** A command as its file declares it. */
export interface CommandDeclaration<T extends ArgsDef> {
  readonly name: string;
  readonly description: string;
  readonly args: T;
  readonly repeats?: boolean;
  readonly refuses?: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
  /** Returns the exit code; undefined is 0. */
  readonly run: (context: CommandContext<T> & { readonly commands: CommandList }) => unknown;
}

/** Makes a command of its declaration. */
export function declareCommand<const T extends ArgsDef>(declaration: CommandDeclaration<T>): Command {
  const { name, description, args, examples, repeats, refuses, run } = declaration;
  return {
    name,
    description,
    args,
    examples,
    repeats,
    refuses,
    run: async (words, commands) => {
      const definition: CommandDef<T> = {
        meta: { name, description },
        args: relevantArgs(args, words) as T,
        run: (context) => run({ ...context, commands }),
      };
      const { result } = await runCommand(definition, { rawArgs: [...words] });
      return typeof result === "number" ? result : 0;
    },
  };
}

/** The declarations that these words need. citty spends time on each one, and there are ninety settings. */
function relevantArgs(args: ArgsDef, words: readonly string[]): ArgsDef {
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
