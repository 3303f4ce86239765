/** The parsed form of a pattern. It omits greediness, which cannot change whether something matches. */

/** Code points, both ends included. */
export type Range = readonly [first: number, last: number];

/** A set of characters; it matches exactly one. */
export interface CharSet {
  /** the set contains everything that the rest does not name */
  readonly negated: boolean;
  readonly ranges: readonly Range[];
  /** Unicode general categories, such as `Lu` */
  readonly categories: readonly string[];
  /**
   * everything that `\w` does not match is included too; a separate flag, because no list of categories has that
   * meaning
   */
  readonly nonWord: boolean;
}

/** A place between characters. "text" is the whole subject, "line" is the text between newlines. */
export type Place =
  | "text-start"
  | "text-end"
  | "line-start"
  | "line-end"
  | "word-start"
  | "word-end"
  | "word-edge"
  | "not-word-edge";

export type Node =
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "look"; readonly behind: boolean; readonly negative: boolean; readonly body: Node }
  /** `number` is its number for back-references */
  | { readonly kind: "group"; readonly number: number; readonly body: Node }
  | { readonly kind: "reference"; readonly number: number }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly branches: readonly Node[] }
  /** `max` may be Infinity */
  | { readonly kind: "repeat"; readonly body: Node; readonly min: number; readonly max: number };

/** A whole pattern and the option that applies to all of it. */
export interface Tree {
  readonly root: Node;
  readonly ignoreCase: boolean;
}
