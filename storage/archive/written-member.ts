/** One file to be written; `name` with `/`, as in reference/archive.md §1. */
export interface WrittenMember {
  readonly name: string;
  /** Bytes may be written over when the next member is asked for. */
  readonly body: string | Buffer;
}
