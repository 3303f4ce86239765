import { closest } from "#app/settings/closest.ts";
import type { ArgDef } from "citty";
import type { Command } from "./command.ts";
import { UsageError } from "./errors.ts";
import { unknownName } from "./unknown-name.ts";

/**
 * Checks a command line against the declarations of the command. citty ignores unknown options; here they are errors,
 * because `--memroy` must not silently serve a directory.
 * @param words the arguments after the command's name
 * @throws UsageError naming the first invalid argument
 */
export function checkArguments(command: Command, words: readonly string[]): void {
  const refuse = (text: string): UsageError => new UsageError(`${command.name}: ${text}`);
  const given: string[] = [];
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      given.push(...rest.splice(0));
    } else if (word === "-" || !word.startsWith("-")) {
      given.push(word);
    } else {
      const { option, declaration, value } = readOption(command, word);
      if (declaration === undefined) {
        const reason = command.refuses?.[option.slice(2)];
        if (reason !== undefined) throw refuse(`${option} is not possible: ${reason}`);
        const otherwise = `see census ${command.name} --help`;
        throw unknownName(`${command.name}: `, "option", option, optionNames(command), otherwise);
      }
      if (declaration.type === "boolean") {
        if (value !== undefined) throw refuse(`${option} takes no value`);
        continue;
      }
      checkValue(value ?? valueBehind(rest), option, declaration, refuse);
    }
  }
  checkPositionals(command, given, refuse);
}

interface ReadOption {
  readonly option: string;
  readonly declaration: ArgDef | undefined;
  /** The text after `=`. */
  readonly value: string | undefined;
}

function readOption({ args }: Command, word: string): ReadOption {
  const [option = "", value] = word.split(/=(.*)/s);
  const name = option.replace(/^--/, "");
  const positive = name.replace(/^no-/, "");
  const declared = (key: string): ArgDef | undefined => {
    const declaration = Object.hasOwn(args, key) ? args[key] : undefined;
    return declaration?.type === "positional" ? undefined : declaration;
  };
  const negated = positive === name ? undefined : declared(positive);
  const declaration = option.startsWith("--")
    ? (declared(name) ?? (negated?.type === "boolean" ? negated : undefined))
    : undefined;
  return { option, declaration, value };
}

function valueBehind(rest: string[]): string | undefined {
  const [next] = rest;
  return next === undefined || (next.startsWith("-") && next !== "-") ? undefined : rest.shift();
}

function checkValue(
  value: string | undefined,
  option: string,
  declaration: ArgDef,
  refuse: (text: string) => UsageError,
): void {
  if (value === undefined || value === "") {
    throw refuse(`${option} needs a value: ${option} ${declaration.valueHint ?? "VALUE"}`);
  }
  const { options } = declaration as { options?: readonly string[] };
  if (options !== undefined && !options.includes(value)) {
    const meant = closest(value, options);
    const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
    throw refuse(`${option} must be one of ${options.join(", ")}, not ${JSON.stringify(value)}${hint}`);
  }
}

function checkPositionals(
  { name, args, repeats }: Command,
  given: readonly string[],
  refuse: (text: string) => UsageError,
): void {
  const declared = Object.entries(args).filter(([, { type }]) => type === "positional");
  for (const [index, [key, declaration]] of declared.entries()) {
    if (given[index] === undefined && declaration.required !== false) {
      throw refuse(`missing argument ${key.toUpperCase()}; see census ${name} --help`);
    }
  }
  const surplus = repeats === true ? undefined : given[declared.length];
  if (surplus !== undefined) {
    throw refuse(`unexpected argument ${JSON.stringify(surplus)}; quote arguments that contain spaces or braces`);
  }
}

/** All options as users type them. */
function optionNames({ args }: Command): string[] {
  const names = Object.entries(args).flatMap(([name, { type, ...rest }]) => {
    if (type === "positional") return [];
    return type === "boolean" && "default" in rest && rest.default === true ? [`--no-${name}`] : [`--${name}`];
  });
  return [...names, "--help"];
}
