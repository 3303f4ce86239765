import { typeName } from "#storage/display/type-name.ts";
import { equal } from "./pql.ts";

/** A resource, or all of a type. */
export interface ResourceName {
  readonly type: string;
  readonly title: string | undefined;
}

/** Reads `Type` or `Type[title]`; undefined when it is neither. */
export function readResourceName(text: string): ResourceName | undefined {
  const { type, title } = /^(?<type>[A-Za-z][\w:]*)(?:\[(?<title>.*)\])?$/s.exec(text)?.groups ?? {};
  if (type === undefined) return undefined;
  const name = typeName(type);
  return { type: name, title: title === undefined || name !== "Class" ? title : typeName(title) };
}

/** The conditions that select it, with the fields of the entity. */
export function resourceConditions({ type, title }: ResourceName, prefix = ""): (string | undefined)[] {
  return [equal(`${prefix}type`, type), equal(`${prefix}title`, title)];
}
