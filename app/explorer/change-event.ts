/** What the endpoint `changes` sends. */
export interface ChangeEvent {
  /** Of the store. */
  readonly revision: number;
  /** The entities whose rows have changed since the event before; absent in the first. */
  readonly changed?: readonly string[];
}
