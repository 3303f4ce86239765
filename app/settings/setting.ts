import type { Kind } from "./kinds/kind.ts";

/** The value of a setting that is not given. */
export type Fallback<T> =
  | {
      readonly value: T;
      /** Its description, where that is not the value itself. */
      readonly said: string | undefined;
    }
  | {
      /** The setting of the same section that it follows. */
      readonly like: string;
      derive(followed: T): T;
      readonly said: string;
    };

/** A setting with an effect. `T` is the type of its value, in the kind's unit. */
export interface Setting<T> {
  readonly kind: Kind<T>;
  readonly fallback: Fallback<T>;
  /** Its description, one line. */
  readonly help: string;
  /** The option of `census serve` without dashes, if it differs from the setting's name. */
  readonly flag: string | undefined;
  /** Earlier names. */
  readonly aliases: readonly string[];
  /** Returns the error in a value of the right kind; the error's text starts with the setting's name. */
  check(value: NonNullable<T>): void;
}

/** A section of the configuration: settings with an effect, and those of PuppetDB without. */
export interface Section {
  /** Its description on the page of settings, one line. */
  readonly about: string;
  /** Other names of the section. */
  readonly aliases?: readonly string[];
  readonly settings: Readonly<Record<string, Setting<unknown>>>;
  /** Settings that are ignored, and why; a name ending in `*` matches all that start so. */
  readonly ignored: Readonly<Record<string, string>>;
  /** Settings that Census had: since which version it has not, and what to do. */
  readonly removed?: Readonly<Record<string, string>>;
}

/** The type of a setting's value. */
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
 * A setting that may have no value.
 * @param declaration `unset` describes the effect then
 */
export function optional<T>(declaration: Declaration<T> & { readonly unset: string }): Setting<T | undefined> {
  return declare<T | undefined>(declaration, {
    value: undefined,
    said: declaration.unset,
  });
}

/** A setting whose default is another setting of its section. */
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

/** The description of a default. */
export function defaultText({ kind, fallback }: Setting<unknown>): string {
  if ("like" in fallback) return fallback.said;
  return fallback.said ?? kind.print(fallback.value);
}

/** The same reason to ignore several settings. */
export function because<const N extends string>(reason: string, ...names: readonly N[]): Record<N, string> {
  return Object.fromEntries(names.map((name) => [name, reason])) as Record<N, string>;
}

function declare<T>(declaration: Declaration<T>, fallback: Fallback<T>): Setting<T> {
  const { kind, help, flag, aliases = [], check = () => undefined } = declaration;
  return { kind, fallback, help, flag, aliases, check };
}
