import type { Json } from "./json.ts";

/** JSON Schema, draft 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

declare const described: unique symbol;

/** A schema and the type of what it describes: the one declaration of an answer, for servers, clients and the description in OpenAPI. */
export interface Shape<T> extends Schema {
  readonly [described]?: () => T;
}

/** The type of what a shape describes. */
export type Shaped<S> = S extends { readonly [described]?: () => infer T } ? T : never;

declare const absent: unique symbol;

/** Marks a property that may be absent; no part of the schema as JSON. */
const IS_OPTIONAL = Symbol("optional");

/** A property that may be absent. */
export interface Optional<T> extends Shape<T> {
  readonly [absent]: true;
}

type Properties = Readonly<Record<string, Shape<unknown>>>;

type OptionalKeys<P> = { [K in keyof P]: P[K] extends { readonly [absent]: true } ? K : never }[keyof P];

/** The type of an object with these properties. */
export type Described<P> = {
  readonly [K in Exclude<keyof P, OptionalKeys<P>>]: Shaped<P[K]>;
} & { readonly [K in OptionalKeys<P>]?: Shaped<P[K]> };

type Flat<T> = T extends object ? { readonly [K in keyof T]: T[K] } : T;

// The builders have no side effects, so that pages that import only types or names beside a shape do not load the shape.

/** @__NO_SIDE_EFFECTS__ */
function shape<T>(schema: Schema, description: string | undefined): Shape<T> {
  return description === undefined ? schema : { ...schema, description };
}

/** @__NO_SIDE_EFFECTS__ */
export function text(description?: string): Shape<string> {
  return shape({ type: "string" }, description);
}

/** A time, in ISO 8601. @__NO_SIDE_EFFECTS__ */
export function moment(description?: string): Shape<string> {
  return shape({ type: "string", format: "date-time" }, description);
}

/** A whole number from 0. @__NO_SIDE_EFFECTS__ */
export function count(description?: string): Shape<number> {
  return shape({ type: "integer", minimum: 0 }, description);
}

/** @__NO_SIDE_EFFECTS__ */
export function number(description?: string): Shape<number> {
  return shape({ type: "number" }, description);
}

/** @__NO_SIDE_EFFECTS__ */
export function truth(description?: string): Shape<boolean> {
  return shape({ type: "boolean" }, description);
}

/** Any JSON. @__NO_SIDE_EFFECTS__ */
export function json(description?: string): Shape<Json> {
  return shape({}, description);
}

/** @__NO_SIDE_EFFECTS__ */
export function oneOf<const T extends string | number>(values: readonly T[], description?: string): Shape<T> {
  return shape({ enum: values }, description);
}

/** @__NO_SIDE_EFFECTS__ */
export function list<S extends Shape<unknown>>(items: S, description?: string): Shape<readonly Shaped<S>[]> {
  return shape({ type: "array", items }, description);
}

/** @__NO_SIDE_EFFECTS__ */
export function object<const P extends Properties>(properties: P, description?: string): Shape<Flat<Described<P>>> {
  const required = Object.keys(properties).filter((name) => !(IS_OPTIONAL in (properties[name] ?? {})));
  return shape({ type: "object", properties, required }, description);
}

/** One of two. @__NO_SIDE_EFFECTS__ */
export function either<A, B>(one: Shape<A>, other: Shape<B>): Shape<A | B> {
  return shape({ anyOf: [one, other] }, undefined);
}

/** A property that may be absent. @__NO_SIDE_EFFECTS__ */
export function optional<T>(given: Shape<T>): Optional<T> {
  return { ...given, [IS_OPTIONAL]: true } as unknown as Optional<T>;
}

/** @__NO_SIDE_EFFECTS__ */
export function orNull<T>(given: Shape<T>): Shape<T | null> {
  const { type, ...rest } = given;
  if (typeof type !== "string") throw new TypeError("only a shape with one type can be null");
  return shape({ ...rest, type: [type, "null"] }, undefined);
}

/** A shape whose type its schema leaves open. @__NO_SIDE_EFFECTS__ */
export function loose<T>(schema: Schema): Shape<T> {
  return schema;
}
