import { type Entity, type Field, isProjectable, isQueryable } from "../entities/index.ts";
import { QueryError } from "../errors.ts";
import type { DottedRef, PathPart, ValueRef } from "../tree.ts";

/** The document field that a dotted name begins with, if the entity has one; `facts.os.family` begins with `facts`. */
export function documentOf(entity: Entity, name: string): Field | undefined {
  const dot = name.indexOf(".");
  if (dot < 0) return undefined;
  const field = entity.fields[name.slice(0, dot)];
  return isQueryable(field) && field.type === "document" ? field : undefined;
}

/**
 * Reads a dotted name: bare, "quoted" and match("…") components, each of the first two with at most one trailing index
 * (`reference/query.md §5`).
 * @throws QueryError for an empty component
 */
export function dottedRef(field: Field, name: string): DottedRef {
  const path: PathPart[] = (field.parts?.prefix ?? []).map((part) => ({ kind: "key", name: part }));
  for (const component of components(name.slice(name.indexOf(".") + 1), name)) path.push(...partsOf(component));
  return { name, field, path };
}

/** The same as one value: digits are keys, and match() is an error. */
export function valueOfPart(field: Field, name: string): DottedRef {
  const ref = dottedRef(field, name);
  if (ref.path.some(({ kind }) => kind === "match")) {
    throw new QueryError(`'${name}' has match(), which names no single part`);
  }
  return digitsAsKeys(ref);
}

/** A field of an entity or a part of a document that has a value; undefined where there is none of that name. */
export function valueNamed(entity: Entity, name: string): ValueRef | undefined {
  const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined;
  if (isQueryable(field) || isProjectable(field)) return { name, field };
  const document = documentOf(entity, name);
  return document === undefined ? undefined : valueOfPart(document, name);
}

/** The same path where components of digits are keys, and nothing else. */
export function digitsAsKeys(ref: DottedRef): DottedRef {
  return {
    ...ref,
    path: ref.path.map((part) => (part.kind === "digits" ? { kind: "key", name: part.name } : part)),
  };
}

/**
 * A fact's name in `["fact", name]`. PuppetDB reads it as a dotted path below `facts`, although its documentation calls
 * it literal (`reference/query.md §4.1`).
 */
export function factRef(inventory: Entity, name: string): DottedRef {
  const field = inventory.fields["facts"];
  if (field === undefined) throw new Error("the inventory has no facts");
  return dottedRef(field, `facts.${name}`);
}

type Component = { kind: "bare" | "quoted"; text: string } | { kind: "match"; pattern: string };

function components(text: string, whole: string): Component[] {
  const found: Component[] = [];
  let rest = text;
  for (;;) {
    const [component, length] = nextComponent(rest, whole);
    found.push(component);
    if (length >= rest.length) return found;
    rest = rest.slice(length + 1);
  }
}

/** The first component and its number of characters, without the dot after it. */
function nextComponent(rest: string, whole: string): [Component, number] {
  const match = /^match\("(.*)"\)(?=\.|$)/s.exec(rest);
  if (match !== null) return [{ kind: "match", pattern: match[1] ?? "" }, match[0].length];
  const quoted = /^"(.*?)(?<!\\)"((?:\[\d+\])?)(?=\.|$)/s.exec(rest);
  if (quoted !== null && quoted[1] !== "") {
    return [{ kind: "quoted", text: `${quoted[1]}${quoted[2]}` }, quoted[0].length];
  }
  const dot = rest.indexOf(".");
  const bare = dot < 0 ? rest : rest.slice(0, dot);
  if (bare === "" || bare === '""') {
    throw new QueryError(`'${whole}' has an empty component; write a name between the dots`);
  }
  return [{ kind: "bare", text: bare }, bare.length];
}

function partsOf(component: Component): PathPart[] {
  if (component.kind === "match") return [{ kind: "match", pattern: component.pattern }];
  const indexed = /^(.+)\[(\d+)\]$/s.exec(component.text);
  if (indexed !== null) {
    return [
      { kind: "key", name: indexed[1] ?? "" },
      { kind: "index", index: Number(indexed[2]) },
    ];
  }
  const isDigits = /^\d+$/.test(component.text);
  return [{ kind: isDigits ? "digits" : "key", name: component.text }];
}
