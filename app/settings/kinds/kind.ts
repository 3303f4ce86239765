/** A value as it was given: text, or the texts of a list, which only HOCON and JSON can spell. */
export type Raw = string | readonly string[];

/** A kind of value: how it is written, and what the program gets of it. */
export interface Kind<T> {
  /** One word for tables. */
  readonly name: string;
  /** What stands behind "must be". */
  readonly expects: string;
  /** What stands behind the option in help, e.g. `PORT`; boolean options take nothing. */
  readonly hint: string;
  /** The only texts that can be written, where they are few. */
  readonly words?: readonly string[];
  /**
   * @param base the folder that relative paths start from
   * @returns undefined when it is not of this kind
   */
  read(raw: Raw, base: string): T | undefined;
  /** The value as it would be written. */
  print(value: T): string;
}

/** A kind that is written as one text. */
export function textual<T>(
  about: Omit<Kind<T>, "read" | "print">,
  read: (text: string, base: string) => T | undefined,
  print: (value: T) => string = String,
): Kind<T> {
  return { ...about, read: (raw, base) => (typeof raw === "string" ? read(raw, base) : undefined), print };
}
