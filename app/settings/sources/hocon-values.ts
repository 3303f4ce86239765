import type { Given } from "./given.ts";

/** A part of a value; parts that follow each other are joined. */
export type Piece =
  | { readonly kind: "text"; readonly text: string; readonly isQuoted: boolean }
  /** White space between two parts, which counts between texts. */
  | { readonly kind: "gap"; readonly text: string }
  /** `${name}`, or `${?name}`, which may be missing. */
  | { readonly kind: "reference"; readonly name: readonly string[]; readonly isOptional: boolean }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "object"; readonly members: readonly Definition[] };

export type Node = readonly Piece[];

/** A name and what it gets, in the order of the file. */
export interface Definition {
  /** Dotted names are nested. */
  readonly name: readonly string[];
  /** Whether the value is added to the list that the name has. */
  readonly adds: boolean;
  readonly node: Node;
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** What a node comes to. */
type Value =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  /** Objects in a list, which no setting with an effect has. */
  | { readonly kind: "objects" }
  | { readonly kind: "null" }
  /** References that are missing and may be. */
  | { readonly kind: "missing" }
  | { readonly kind: "problem"; readonly problem: string };

/** The value of a name and where it was given. */
interface Found {
  readonly value: Value;
  readonly definition: Definition;
}

const keyOf = (name: readonly string[]): string => JSON.stringify(name);

/**
 * The value of each name, with the place of its last definition. A reference means the value that its name has at the end of
 * the file, and within its own definition the one before; a name that the file does not have is a variable of the environment.
 */
export function givenOf(definitions: readonly Definition[], env: NodeJS.ProcessEnv): Given[] {
  const values = new Values(withoutObjects(definitions), env);
  return values.names().flatMap((name): Given[] => {
    const found = values.find(name);
    if (found === undefined) return [];
    const { value, definition } = found;
    const [section = "", ...rest] = name;
    const { path, line } = definition;
    const given = { section, name: rest.join("."), place: { kind: "file", path, line } } as const;
    if (value.kind === "null" || value.kind === "missing") return [];
    if (value.kind === "problem") return [{ ...given, raw: undefined, problem: value.problem }];
    if (value.kind === "objects") return [{ ...given, raw: undefined }];
    return [{ ...given, raw: value.kind === "text" ? value.text : value.items }];
  });
}

/** Every definition of a value that is not an object, by its full name, with a copy of what references to objects mean. */
function withoutObjects(definitions: readonly Definition[]): Definition[] {
  const flat = definitions.flatMap((definition) => flattened(definition, []));
  // An object that is copied may have copies itself; a circle of copies ends here.
  for (let round = 0; round < 8; round++) {
    let hasCopies = false;
    const spread = flat.flatMap((definition) => {
      const [piece, ...others] = definition.node;
      if (piece?.kind !== "reference" || others.length > 0) return [definition];
      const members = flat.filter(({ name }) => name.length > piece.name.length && startsWith(name, piece.name));
      hasCopies ||= members.length > 0;
      if (members.length === 0) return [definition];
      return members.map(({ name }): Definition => {
        const node = [{ kind: "reference", name, isOptional: true } as const];
        return { ...definition, name: [...definition.name, ...name.slice(piece.name.length)], node };
      });
    });
    flat.splice(0, flat.length, ...spread);
    if (!hasCopies) break;
  }
  return flat;
}

function flattened(definition: Definition, above: readonly string[]): Definition[] {
  const name = [...above, ...definition.name];
  if (!definition.node.some(({ kind }) => kind === "object")) return [{ ...definition, name }];
  return definition.node
    .filter(({ kind }) => kind !== "gap")
    .flatMap((piece) =>
      piece.kind === "object"
        ? piece.members.flatMap((member) => flattened(member, name))
        : [{ ...definition, name, node: [piece] }],
    );
}

function startsWith(name: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((part, index) => name[index] === part);
}

class Values {
  readonly #definitions = new Map<string, Definition[]>();
  readonly #env: NodeJS.ProcessEnv;
  /** Names whose values are being found: a reference to one of them is a circle. */
  readonly #open = new Set<string>();

  constructor(definitions: readonly Definition[], env: NodeJS.ProcessEnv) {
    this.#env = env;
    for (const definition of definitions) {
      const key = keyOf(definition.name);
      this.#definitions.set(key, [...(this.#definitions.get(key) ?? []), definition]);
    }
  }

  /** In the order of their first definitions. */
  names(): (readonly string[])[] {
    return [...this.#definitions.values()].flatMap(([first]) => (first === undefined ? [] : [first.name]));
  }

  /** The value that a name has at the end. */
  find(name: readonly string[]): Found | undefined {
    const key = keyOf(name);
    let found: Found | undefined;
    this.#open.add(key);
    for (const definition of this.#definitions.get(key) ?? []) {
      const value = this.#valueOf(definition.node, key, found?.value);
      if (value.kind === "missing") continue;
      found = { value: definition.adds ? added(found?.value, value) : value, definition };
    }
    this.#open.delete(key);
    return found;
  }

  /** @param before the value that the name with this key has so far */
  #valueOf(node: Node, key: string, before: Value | undefined): Value {
    const values = node.map((piece): Value => {
      switch (piece.kind) {
        case "text":
          return piece.text === "null" && !piece.isQuoted && node.length === 1
            ? { kind: "null" }
            : { kind: "text", text: piece.text };
        case "gap":
          return { kind: "text", text: piece.text };
        case "list":
          return this.#listOf(piece.items, key, before);
        case "reference":
          return this.#referred(piece, key, before);
        default:
          return { kind: "objects" };
      }
    });
    return joined(values);
  }

  #listOf(items: readonly Node[], key: string, before: Value | undefined): Value {
    const values = items.map((item) => this.#valueOf(item, key, before)).filter(({ kind }) => kind !== "missing");
    const problem = values.find(({ kind }) => kind === "problem");
    if (problem !== undefined) return problem;
    const texts = values.flatMap((value) => (value.kind === "text" ? [value.text] : []));
    return texts.length === values.length ? { kind: "list", items: texts } : { kind: "objects" };
  }

  #referred(
    { name, isOptional }: Extract<Piece, { kind: "reference" }>,
    key: string,
    before: Value | undefined,
  ): Value {
    const wanted = keyOf(name);
    const said = `\${${name.join(".")}}`;
    if (wanted !== key && this.#open.has(wanted)) return { kind: "problem", problem: `${said} refers to itself` };
    const value = wanted === key ? before : this.find(name)?.value;
    if (value !== undefined && value.kind !== "null") return value;
    const variable = value === undefined ? this.#env[name.join(".")] : undefined;
    if (variable !== undefined) return { kind: "text", text: variable };
    if (isOptional) return { kind: "missing" };
    const problem = `${said} is set neither in the file nor as a variable of the environment`;
    return { kind: "problem", problem };
  }
}

function joined(values: readonly Value[]): Value {
  const problem = values.find(({ kind }) => kind === "problem" || kind === "objects");
  if (problem !== undefined) return problem;
  const there = values.filter(({ kind }) => kind !== "missing");
  if (there.length === 1 && there[0] !== undefined) return there[0];
  if (there.some(({ kind }) => kind === "list")) {
    const lists = there.filter((value) => value.kind !== "text" || value.text.trim() !== "");
    const items = lists.flatMap((value) => (value.kind === "list" ? value.items : []));
    const isMixed = lists.some(({ kind }) => kind !== "list");
    return isMixed ? { kind: "problem", problem: "joins a list and a text" } : { kind: "list", items };
  }
  const text = there.map((value) => (value.kind === "text" ? value.text : "")).join("");
  // Only white space between references that are missing.
  return values.length > there.length && text.trim() === "" ? { kind: "missing" } : { kind: "text", text };
}

/** `+=`: the list with one more item. */
function added(before: Value | undefined, value: Value): Value {
  if (value.kind !== "text") return value.kind === "list" ? { kind: "objects" } : value;
  if (before === undefined || before.kind === "null") return { kind: "list", items: [value.text] };
  if (before.kind === "list") return { kind: "list", items: [...before.items, value.text] };
  return before.kind === "text" ? { kind: "problem", problem: "+= adds to a list, and this is a text" } : before;
}
