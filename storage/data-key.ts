import type { Json } from "./json.ts";

/** What JSON writes differently for each two values. `undefined` is a property that is absent. */
type Written = Json | undefined | Date;

/** What JSON writes as `{}`, or not at all, whatever it contains. */
type Opaque =
  | RegExp
  | bigint
  | symbol
  | ((...args: never[]) => unknown)
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | Promise<unknown>;

/** Plain data; `never` in place of anything that JSON does not write in full. */
type PlainData<T> = T extends Written ? T : T extends Opaque ? never : { readonly [Key in keyof T]: PlainData<T[Key]> };

/** A text that two values of one type share only when they are the same. A value that JSON does not write in full does not compile. */
export function dataKey<T>(value: T & PlainData<T>): string {
  return JSON.stringify(value) ?? "";
}
