import type { ArgDef } from "citty";
import type { Command } from "../command.ts";
import { hintOf, optionsOf, positionalsOf } from "../help/command-page.ts";
import type { NamedOption } from "../option-groups.ts";

/** The values of an argument or option. */
export type Value =
  /** One of these words. */
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files" }
  | { readonly kind: "folders" }
  /** Anything else. */
  | { readonly kind: "any" };

export interface CompletedOption {
  /** As it is typed: `--data`, `-u`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined: the option takes no value. */
  readonly value: Value | undefined;
}

export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  /** By position; with `repeats`, the last one applies to all further arguments too. */
  readonly positionals: readonly Value[];
  readonly repeats: boolean;
}

/** What completion scripts need to know about the program. */
export interface CompletionModel {
  readonly commands: readonly CompletedCommand[];
  /** Options of the program itself. */
  readonly options: readonly CompletedOption[];
}

const HELP: CompletedOption = { names: ["-h", "--help"], description: "Show this help", value: undefined };
const VERSION: CompletedOption = { names: ["-v", "--version"], description: "Show the version", value: undefined };

/**
 * Generated from the declarations of the commands.
 * @param topics names of the help topics
 */
export function completionModel(commands: readonly Command[], topics: readonly string[]): CompletionModel {
  const explained: Value = { kind: "words", words: [...commands.map(({ name }) => name), "topics", ...topics] };
  const hints = { ...hinted, TOPIC: explained };
  return { commands: commands.map((command) => completedCommand(command, hints)), options: [HELP, VERSION] };
}

type Hints = Readonly<Record<string, Value>>;

function completedCommand(command: Command, hints: Hints): CompletedCommand {
  return {
    name: command.name,
    description: command.description,
    options: [...optionsOf(command).flatMap((option) => completedOptions(option, hints)), HELP],
    positionals: positionalsOf(command).map(([, declaration]) => valueOf(declaration, hints)),
    repeats: command.repeats === true,
  };
}

function completedOptions([name, declaration]: NamedOption, hints: Hints): CompletedOption[] {
  const { description = "", type } = declaration;
  const names = [`--${name}`];
  if (type !== "boolean") return [{ names, description, value: valueOf(declaration, hints) }];
  const { negativeDescription, default: standing } = declaration as { negativeDescription?: string; default?: boolean };
  const no = { names: [`--no-${name}`], description: negativeDescription ?? `Not: ${description}`, value: undefined };
  if (standing === true) return [no];
  return [{ names, description, value: undefined }, ...(negativeDescription === undefined ? [] : [no])];
}

/** The values for hints of declarations; other hints are for people only. */
const hinted: Hints = {
  FILE: { kind: "files" },
  PATH: { kind: "files" },
  DIR: { kind: "folders" },
};

function valueOf(declaration: ArgDef, hints: Hints): Value {
  const hint = hintOf(declaration);
  const words = hint.split("|");
  return words.length > 1 ? { kind: "words", words } : (hints[hint] ?? { kind: "any" });
}
