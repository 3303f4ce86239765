import { nearestWords } from "#storage/nearest-words.ts";
import type { ArgDef, ArgsDef } from "citty";
import { UsageError } from "./errors.ts";
import { sourceOf } from "./sources/recognised.ts";
import { unknownName } from "./unknown-name.ts";

/** What a command takes. */
export interface Declarations {
  readonly name: string;
  /** citty's declarations of its arguments and options; help, completion and {@link readArguments} walk them. */
  readonly args: ArgsDef;
  /** The last argument may be repeated; all of them are in citty's `args._`. */
  readonly repeats?: boolean | undefined;
  /** Options of other commands that this one cannot have, without `--`: why, and what to use instead. */
  readonly refuses?: Readonly<Record<string, string>> | undefined;
  /** Former names of options, which still work. */
  readonly formerOptions?: Readonly<Record<string, string>> | undefined;
  /** Its arguments are paths: an archive among them is not its source. */
  readonly readsPaths?: boolean | undefined;
}

/** A property of an option that citty does not read. */
export interface Repeatable {
  /** The option may be given several times; all its values are in `lists`. */
  readonly repeats: true;
}

/** Another one, of an argument that is one of a few words: {@link choiceArgument}. */
export interface OneOf<W extends string = string> {
  readonly words: readonly W[];
}

/** An argument that is one of a few words. */
export function choiceArgument<const W extends string>(words: readonly W[], description = "Action") {
  return { type: "positional", required: true, valueHint: words.join("|"), description, words } as const;
}

/** A command line that fits the declarations of its command. */
export interface ReadArguments {
  /** The words that citty reads: with present names of options, and an existing archive as `--archive`. */
  readonly words: readonly string[];
  /** The options among them. */
  readonly options: ReadonlySet<string>;
  /** The values of options that may be repeated, by their names. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  /** The words after `--`; undefined where it is not given. */
  readonly after: readonly string[] | undefined;
}

/**
 * Reads a command line for citty, which ignores unknown options and all but the last one of equal ones: here both are
 * errors, because `--memroy` must not silently serve a directory.
 * @param given the arguments after the command's name
 * @throws UsageError naming the first invalid argument
 */
export function readArguments(command: Declarations, given: readonly string[]): ReadArguments {
  const refuse = (text: string): UsageError => new UsageError(`${command.name}: ${text}`);
  const end = given.indexOf("--");
  const rest = given.slice(0, end < 0 ? undefined : end);
  const after = end < 0 ? undefined : given.slice(end + 1);
  const options = new Set<string>();
  const lists: Record<string, string[]> = {};
  const words: string[] = [];
  const positionals: string[] = [];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "-" || !word.startsWith("-")) {
      positionals.push(word);
      continue;
    }
    const { option, name, declaration, value } = readOption(command, word);
    if (declaration === undefined) throw unknownOption(command, option);
    if (declaration.type === "boolean") {
      if (value !== undefined) throw refuse(`${option} takes no value`);
      words.push(option);
    } else {
      const text = checkedValue(value ?? valueBehind(rest), option, declaration, refuse, rest);
      if (mayRepeat(declaration)) (lists[name] ??= []).push(text);
      else if (options.has(name)) throw refuse(`--${name} is given twice`);
      words.push(`${option}=${text}`);
    }
    options.add(name);
  }
  const source = sourceAmong(command, positionals, options);
  if (source !== undefined) {
    positionals.splice(positionals.indexOf(source.word), 1);
    options.add(source.option);
    words.push(`--${source.option}=${source.word}`);
  }
  positionals.push(...(after ?? []));
  checkPositionals(command, positionals, options, refuse);
  return { words: [...words, "--", ...positionals], options, lists, after };
}

interface ReadOption {
  /** As it is typed now: `--name` or `--no-name`. */
  readonly option: string;
  readonly name: string;
  readonly declaration: ArgDef | undefined;
  /** The text after `=`. */
  readonly value: string | undefined;
}

function readOption({ args, formerOptions }: Declarations, word: string): ReadOption {
  const [typed = "", value] = word.split(/=(.*)/s);
  const former = formerOptions?.[typed.replace(/^--/, "")];
  const option = former === undefined ? typed : `--${former}`;
  const name = option.replace(/^--/, "");
  const positive = name.replace(/^no-/, "");
  const declared = (key: string): ArgDef | undefined => {
    const declaration = Object.hasOwn(args, key) ? args[key] : undefined;
    return declaration?.type === "positional" || !option.startsWith("--") ? undefined : declaration;
  };
  const own = declared(name);
  if (own !== undefined || positive === name) return { option, name, declaration: own, value };
  const negated = declared(positive);
  return { option, name: positive, declaration: negated?.type === "boolean" ? negated : undefined, value };
}

function unknownOption(command: Declarations, option: string): UsageError {
  const reason = command.refuses?.[option.slice(2)];
  if (reason !== undefined) return new UsageError(`${command.name}: ${option} is not possible: ${reason}`);
  return unknownName(`${command.name}: `, "option", option, optionNames(command), `see census ${command.name} --help`);
}

function valueBehind(rest: string[]): string | undefined {
  const [next] = rest;
  return next === undefined || (next.startsWith("-") && next !== "-") ? undefined : rest.shift();
}

function checkedValue(
  value: string | undefined,
  option: string,
  declaration: ArgDef,
  refuse: (text: string) => UsageError,
  [next = ""]: readonly string[],
): string {
  if (value === undefined || value === "") {
    const negative = /^-\d/.test(next) ? `; a value that begins with - is typed ${option}=${next}` : "";
    throw refuse(`${option} needs a value: ${option} ${declaration.valueHint ?? "VALUE"}${negative}`);
  }
  const { options } = declaration as { options?: readonly string[] };
  if (options === undefined || options.includes(value)) return value;
  const [meant] = nearestWords(value, options, 1);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  throw refuse(`${option} must be one of ${options.join(", ")}, not ${JSON.stringify(value)}${hint}`);
}

function mayRepeat(declaration: ArgDef): boolean {
  return (declaration as Partial<Repeatable>).repeats === true;
}

/** The argument that is an archive or a data directory, in commands that take a source but no argument of that kind. */
function sourceAmong(
  { args, readsPaths }: Declarations,
  positionals: readonly string[],
  options: ReadonlySet<string>,
): ReturnType<typeof sourceOf> {
  if (args["archive"]?.type !== "string" || readsPaths === true) return undefined;
  if (givenSource(options) !== undefined) return undefined;
  return positionals.map(sourceOf).find((source) => source !== undefined);
}

function givenSource(options: ReadonlySet<string>): string | undefined {
  return ["archive", "data", "url", "urls"].find((name) => options.has(name));
}

function checkPositionals(
  { name, args, repeats }: Declarations,
  given: readonly string[],
  options: ReadonlySet<string>,
  refuse: (text: string) => UsageError,
): void {
  const declared = Object.entries(args).filter(([, { type }]) => type === "positional");
  for (const [index, [key, declaration]] of declared.entries()) {
    const word = given[index];
    if (word === undefined && declaration.required !== false) {
      throw refuse(`missing argument ${key.toUpperCase()}; see census ${name} --help`);
    }
    const { words } = declaration as Partial<OneOf>;
    if (words?.includes(word ?? "") === false) {
      throw refuse(`${key.toUpperCase()} must be one of ${words.join(", ")}, not ${JSON.stringify(word)}`);
    }
  }
  const surplus = repeats === true ? undefined : given[declared.length];
  if (surplus === undefined) return;
  const source = givenSource(options);
  if (source !== undefined && sourceOf(surplus) !== undefined) {
    throw refuse(`${JSON.stringify(surplus)} and --${source} cannot be used together`);
  }
  const last = declared.at(-1)?.[0].toUpperCase();
  const place = last === undefined ? "" : ` after ${last}`;
  throw refuse(`unexpected argument ${JSON.stringify(surplus)}${place}; quote arguments that contain spaces or braces`);
}

/** All options as users type them. */
function optionNames({ args }: Declarations): string[] {
  const names = Object.entries(args).flatMap(([name, { type, ...rest }]) => {
    if (type === "positional") return [];
    return type === "boolean" && "default" in rest && rest.default === true ? [`--no-${name}`] : [`--${name}`];
  });
  return [...names, "--help"];
}
