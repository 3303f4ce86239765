/** What a node has at some time, by names: values or ids, as texts. What it does not have is absent. */
export type State = ReadonlyMap<string, string>;

/** A thing that is not the same in two states; undefined: absent. */
export interface Difference {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What is not the same in two states. */
export function differences(before: State, after: State): Difference[] {
  const found: Difference[] = [];
  for (const [name, value] of before) {
    const now = after.get(name);
    if (now !== value) found.push({ name, before: value, after: now });
  }
  for (const [name, value] of after) if (!before.has(name)) found.push({ name, before: undefined, after: value });
  return found;
}
