/** One file to be written; `name` with `/`, as in reference/archive.md §1. */
export interface WrittenMember {
  readonly name: string;
  /** A buffer may be reused for the next member. */
  readonly body: string | Buffer;
}
