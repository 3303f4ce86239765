/** How much of an archive has been read. */
export interface Progress {
  /** What is being done. */
  readonly text: string;
  /** Of `total`; of what, the text says. */
  readonly done?: number;
  readonly total?: number;
}
