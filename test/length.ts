/**
 * Whether tests that could go on for as long as one likes (random commands, failures, more nodes) are long:
 * `TEST_LENGTH=long npm test`, before a release.
 */
const isLong = process.env["TEST_LENGTH"] === "long";

/** What differs between the two lengths of a test. */
export function byLength<T>({ short, long }: { readonly short: T; readonly long: T }): T {
  return isLong ? long : short;
}
