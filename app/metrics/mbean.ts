import type { ObjectName } from "./object-name.ts";

/** The value of an attribute: JSON. */
export type AttributeValue =
  | string
  | number
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [key: string]: AttributeValue };

export interface Attribute {
  /** The type a Java client expects, e.g. `long`. */
  readonly type: string;
  readonly description: string;
  readonly read: () => AttributeValue | Promise<AttributeValue>;
}

export interface Operation {
  readonly returns: string;
  readonly description: string;
}

/** Something that can be looked at, in the form that metrics clients know (`reference/metrics.md §4, §5`). */
export interface MBean {
  readonly name: ObjectName;
  readonly className: string;
  readonly description: string;
  readonly attributes: ReadonlyMap<string, Attribute>;
  /** All without arguments; listed, never carried out. */
  readonly operations: ReadonlyMap<string, Operation>;
}

/** An MBean together with its canonical name. */
export type NamedBean = readonly [name: string, bean: MBean];

/** The current MBeans. */
export interface MBeans {
  /** @param name canonical, or one of the other spellings a bean is known by */
  find(name: string): MBean | undefined;
  /** All of them, by name. */
  all(): readonly NamedBean[];
}
