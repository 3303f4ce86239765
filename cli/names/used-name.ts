/** A name on the command line that the source should have. */
export type UsedName =
  | { readonly kind: ListedKind; readonly text: string }
  /** One word that may be either. */
  | { readonly kind: "certname or fact"; readonly text: string }
  /** A pattern of certnames, with * in it. */
  | { readonly kind: "certnames"; readonly text: string }
  /** A certname, or the hash of a report. */
  | { readonly kind: "report"; readonly text: string }
  /** The hash of a report. */
  | { readonly kind: "hash"; readonly text: string }
  | { readonly kind: "resource"; readonly type: string; readonly title: string | undefined }
  /** One of the words that a field can have; `of` names the field. */
  | { readonly kind: "word"; readonly of: string; readonly text: string; readonly words: readonly string[] };

/** Kinds of names of which the source has a list. A class or package may be a pattern with * in it. */
export type ListedKind = "certname" | "fact" | "class" | "environment" | "package" | "provider" | "producer";

/** The name of an option or argument, if it was given. */
export function usedName(kind: Exclude<UsedName["kind"], "resource" | "word">, text: string | undefined): UsedName[] {
  return text === undefined ? [] : [{ kind, text }];
}
