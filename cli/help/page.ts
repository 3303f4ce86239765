/** A piece of a page; texts are plain. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** Words and what they mean. */
  | { readonly kind: "terms"; readonly terms: readonly Term[] }
  /** Lines to copy, never wrapped. */
  | { readonly kind: "code"; readonly lines: readonly string[] };

export type Term = readonly [term: string, meaning: string];

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** What a terminal, a manual page or a test is told of one thing: a command, a topic, the program. */
export interface Page {
  /** One line: what it is. */
  readonly summary: string;
  readonly sections: readonly Section[];
}

export const text = (text: string): Block => ({ kind: "text", text });
export const terms = (...terms: readonly Term[]): Block => ({ kind: "terms", terms });
export const code = (...lines: readonly string[]): Block => ({ kind: "code", lines });
