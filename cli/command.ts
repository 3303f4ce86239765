import { type ArgsDef, type CommandContext, runCommand } from "citty";
import { type Declarations, type ReadArguments, readArguments } from "./arguments.ts";

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
export interface Command extends Declarations {
  /** One line: what it does. */
  readonly description: string;
  /** Command lines to copy, without the program's name. */
  readonly examples: readonly string[];
  /**
   * @param words the arguments after the command's name
   * @returns the exit code
   * @throws UsageError when they do not fit its declarations
   */
  run(words: readonly string[], commands: CommandList): Promise<number>;
}

/** What a command is run with: citty's context, and what citty does not read. */
export type RunContext<T extends ArgsDef> = Omit<CommandContext<T>, "rawArgs"> &
  Pick<ReadArguments, "lists" | "after"> & { readonly commands: CommandList };

/** A command as its file declares it. */
export interface CommandDeclaration<T extends ArgsDef> extends Omit<Command, "args" | "run"> {
  readonly args: T;
  /** Returns the exit code; undefined is 0. */
  readonly run: (context: RunContext<T>) => unknown;
}

/** Makes a command of its declaration. */
export function declareCommand<const T extends ArgsDef>({ run, ...declared }: CommandDeclaration<T>): Command {
  const { args } = declared;
  const command: Command = {
    ...declared,
    run: async (given, commands) => {
      const { words, options, ...more } = readArguments(command, given);
      // citty spends time on each declaration, and there are ninety settings.
      const relevant = Object.entries(args).filter(
        ([name, { type, ...rest }]) => type === "positional" || rest.default !== undefined || options.has(name),
      );
      const { result } = await runCommand<T>(
        { args: Object.fromEntries(relevant) as T, run: (context) => run({ ...context, ...more, commands }) },
        { rawArgs: [...words] },
      );
      return typeof result === "number" ? result : 0;
    },
  };
  return command;
}
