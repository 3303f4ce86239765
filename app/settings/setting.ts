import type { Kind } from "./kinds/kind.ts";

/** What holds where a setting is not given. */
export type Fallback<T> =
  | {
      readonly value: T;
      /** How people are told of it, where that is not the value itself. */
      readonly said: string | undefined;
    }
  | {
      /** The setting of the same section that it follows. */
      readonly like: string;
      derive(followed: T): T;
      readonly said: string;
    };

/** A setting that means something here. `T` is what the program gets, in the kind's unit. */
export interface Setting<T> {
  readonly kind: Kind<T>;
  readonly fallback: Fallback<T>;
  /** One line: what it is for. */
  readonly help: string;
  /** The option of `census serve` without dashes, where it is not the setting's name. */
  readonly flag: string | undefined;
  /** Names that it had earlier. */
  readonly aliases: readonly string[];
  /** What is wrong with a value that is of the right kind; such an error's text starts with the setting's name. */
  check(value: NonNullable<T>): void;
}

/** A section of the configuration: settings that mean something here, and those of PuppetDB that do not. */
export interface Section {
  /** One line for the page of settings. */
  readonly about: string;
  /** Names that the section has as well. */
  readonly aliases?: readonly string[];
  readonly settings: Readonly<Record<string, Setting<unknown>>>;
  /** Settings that are passed over, and why; a name ending in `*` stands for all that start so. */
  readonly ignored: Readonly<Record<string, string>>;
}

/** What the program gets of a setting. */
export type ValueOf<S> = S extends Setting<infer T> ? T : never;

interface Declaration<T> {
  readonly kind: Kind<T>;
  readonly help: string;
  readonly flag?: string;
  readonly aliases?: readonly string[];
  readonly check?: (value: NonNullable<T>) => void;
}

/** A setting that always has a value. */
export function setting<T>(declaration: Declaration<T> & { readonly default: NoInfer<T> }): Setting<T> {
  return declare<T>(declaration, { value: declaration.default, said: undefined });
}

/**
 * A setting that may be without a value.
 * @param declaration `unset` says what holds then
 */
export function optional<T>(declaration: Declaration<T> & { readonly unset: string }): Setting<T | undefined> {
  return declare<T | undefined>(declaration, {
    value: undefined,
    said: declaration.unset,
  });
}

/** A setting that another one of its section holds for until it is given itself. */
export function following<T>(
  declaration: Declaration<T> & {
    readonly like: string;
    readonly derive?: (followed: T) => T;
    readonly said?: string;
  },
): Setting<T> {
  const { like, derive = (followed: T) => followed, said = `same as ${like}` } = declaration;
  return declare<T>(declaration, { like, derive, said });
}

/** How people are told what holds where a setting is not given. */
export function defaultText({ kind, fallback }: Setting<unknown>): string {
  if ("like" in fallback) return fallback.said;
  return fallback.said ?? kind.print(fallback.value);
}

/** The same reason for several settings to be passed over. */
export function because<const N extends string>(reason: string, ...names: readonly N[]): Record<N, string> {
  return Object.fromEntries(names.map((name) => [name, reason])) as Record<N, string>;
}

function declare<T>(declaration: Declaration<T>, fallback: Fallback<T>): Setting<T> {
  const { kind, help, flag, aliases = [], check = () => undefined } = declaration;
  return { kind, fallback, help, flag, aliases, check };
}
