/** A piece of a page; texts are plain. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** Terms and their meaning. */
  | { readonly kind: "terms"; readonly terms: readonly Term[] }
  /** Lines to copy, never wrapped. */
  | { readonly kind: "code"; readonly lines: readonly string[] };

export type Term = readonly [term: string, meaning: string];

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** The help for a command, a topic or the program, for terminals and the manual page. */
export interface Page {
  /** A description in one line. */
  readonly summary: string;
  readonly sections: readonly Section[];
}

export const text = (text: string): Block => ({ kind: "text", text });
export const terms = (...terms: readonly Term[]): Block => ({ kind: "terms", terms });
export const code = (...lines: readonly string[]): Block => ({ kind: "code", lines });
