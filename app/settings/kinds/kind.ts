/** A value as it was given: text, or the texts of a list, which only HOCON and JSON can spell. */
export type Raw = string | readonly string[];

/** A kind of value: its spelling, and the value that the program uses. */
export interface Kind<T> {
  /** Its name in tables, one word. */
  readonly name: string;
  /** The text after "must be". */
  readonly expects: string;
  /** The placeholder after the option in help, e.g. `PORT`; absent for flags. */
  readonly hint: string;
  /** The possible texts, where they are few. */
  readonly words?: readonly string[];
  /**
   * @param base the folder that relative paths start from
   * @returns undefined for a text of another kind
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
