/**
 * A row that occurs repeatedly, in the thread that made it: it crosses to another thread once, and then as a number.
 */
export class InternedRow {
  /** Undefined once the row has been sent: this thread does not need it any more. */
  cells: object | undefined;
  /** The number that was sent for it. */
  number = 0;

  constructor(cells: object) {
    this.cells = cells;
  }
}
