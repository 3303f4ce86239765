import type { ArgDef } from "citty";
import type { Command, CommandList } from "../command.ts";
import { groupedOptions, type NamedOption } from "../option-groups.ts";
import { code, type Page, type Section, type Term, terms, text } from "./page.ts";

/** The options of the program itself. */
export const ownOptions: readonly Term[] = [
  ["-h, --help", "Show this help; after a command, its help"],
  ["-v, --version", "Show the version"],
];

/** The page of one command. */
export function commandPage(command: Command): Page {
  const positionals = positionalsOf(command);
  return {
    summary: command.description,
    sections: [
      { title: `USAGE census ${synopsis(command)}`, blocks: [] },
      ...section("ARGUMENTS", positionals.map(positionalTerm)),
      ...groupedOptions(optionsOf(command)).flatMap(({ title, options }) =>
        section(title, options.flatMap(optionTerms)),
      ),
      { title: "EXAMPLES", blocks: [code(...command.examples.map((line) => `census ${line}`))] },
    ],
  };
}

/** Commands of which the page of the program shows an example. */
const shown: ReadonlySet<string> = new Set(["open", "serve", "import", "search", "events", "query", "diff", "fixture"]);

/** The page of the program. */
export function overviewPage(groups: CommandList["groups"], commands: readonly Command[], description: string): Page {
  const byName = new Map(commands.map((command) => [command.name, command]));
  return {
    summary: description,
    sections: [
      { title: "USAGE census COMMAND [OPTIONS]", blocks: [] },
      ...groups.flatMap(({ title, names }) =>
        section(
          title.toUpperCase(),
          names.map((name) => [name, byName.get(name)?.description ?? ""]),
        ),
      ),
      ...section("OPTIONS", ownOptions),
      {
        title: "EXAMPLES",
        blocks: [
          code(
            ...commands
              .filter(({ name }) => shown.has(name))
              .flatMap(({ examples }) => examples.slice(0, 1))
              .map((line) => `census ${line}`),
          ),
        ],
      },
      {
        title: "MORE",
        blocks: [
          text(
            "census COMMAND --help shows the arguments and options of a command; census help topics lists the topics.",
          ),
        ],
      },
    ],
  };
}

/** How a command is called, e.g. `query [OPTIONS] QUERY`. */
export function synopsis(command: Command): string {
  const positionals = positionalsOf(command);
  const words = positionals.map(([name, { required }], index) => {
    const shown = name.toUpperCase();
    const repeated = command.repeats === true && index === positionals.length - 1 ? `${shown}…` : shown;
    return required === false ? `[${repeated}]` : repeated;
  });
  return [command.name, ...(optionsOf(command).length === 0 ? [] : ["[OPTIONS]"]), ...words].join(" ");
}

/** The arguments of a command. */
export function positionalsOf({ args }: Command): [string, ArgDef][] {
  return Object.entries(args).filter(([, { type }]) => type === "positional");
}

/** The options of a command, as they are declared. */
export function optionsOf({ args }: Command): NamedOption[] {
  return Object.entries(args).filter(([, { type }]) => type !== "positional");
}

/** An argument with its description and, if there are few, its values. */
export function positionalTerm([name, declaration]: [string, ArgDef]): Term {
  const { description = "" } = declaration;
  const words = hintOf(declaration).split("|");
  // Words to type are in small letters; FILE|DIR are placeholders.
  const isChoice = words.length > 1 && words.every((word) => word === word.toLowerCase());
  return [name.toUpperCase(), isChoice ? `${description}: ${words.join(", ")}` : description];
}

/** An option with its description, and its `--no-` form if it has one. */
export function optionTerms([name, declaration]: NamedOption): Term[] {
  const { description = "", type } = declaration;
  if (type !== "boolean") {
    const hint = hintOf(declaration);
    // More words than fit into a line of a terminal are in the description.
    if (hint.length <= 60) return [[`--${name} ${hint}`, description]];
    return [[`--${name} ${name.toUpperCase()}`, `${description}; one of ${hint.replaceAll("|", ", ")}`]];
  }
  const { negativeDescription, default: standing } = declaration as { negativeDescription?: string; default?: boolean };
  const negated: Term[] = negativeDescription === undefined ? [] : [[`--no-${name}`, negativeDescription]];
  return standing === true && negated.length > 0 ? negated : [[`--${name}`, description], ...negated];
}

/** The placeholder of an option's value; empty if it has none. */
export function hintOf(declaration: ArgDef): string {
  const { options, valueHint = "" } = declaration as { options?: readonly string[]; valueHint?: string };
  return options === undefined ? valueHint : options.join("|");
}

function section(title: string, rows: readonly Term[]): Section[] {
  return rows.length === 0 ? [] : [{ title, blocks: [terms(...rows)] }];
}
