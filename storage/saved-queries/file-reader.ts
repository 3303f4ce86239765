import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
} from "yaml";
import { CensusError } from "../errors.ts";
import { exactNumber, type Json } from "../json.ts";
import { nearestWords } from "../nearest-words.ts";
import type { Place } from "./types.ts";

/** A key of a mapping with its value. */
export interface Entry {
  readonly key: Scalar<string>;
  readonly value: Node | null;
}

/** A YAML file whose parts are read one by one; an error names the file, line and column. */
export class FileReader {
  readonly #path: string;
  readonly #text: string;
  readonly #lines = new LineCounter();
  /** Null when the file is empty. */
  readonly root: Node | null;

  /** @throws CensusError "bad-input" when it is not YAML */
  constructor(path: string, text: string) {
    this.#path = path;
    this.#text = text;
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) throw this.errorAt(this.#place(error.pos[0]), `is not YAML: ${error.message}`);
    // They could repeat a part without end.
    visit(document, {
      Alias: (_key, alias) => this.#refuse(alias, "anchors and aliases are not supported; write it out"),
    });
    this.root = document.contents;
  }

  errorAt({ line, column }: Place, message: string): CensusError {
    return new CensusError("bad-input", `${this.#path}:${line}:${column}: ${message}`);
  }

  error(node: Node | null, message: string): CensusError {
    return this.errorAt(this.placeOf(node), message);
  }

  placeOf(node: Node | null): Place {
    return this.#place(node?.range?.[0] ?? 0);
  }

  /** The place of a line and column of a text in the file; of a folded text, where it begins. */
  placeInText(node: Scalar, { line, column }: Place): Place {
    const begin = this.placeOf(node);
    if (node.type === Scalar.BLOCK_LITERAL) {
      const indent = /^ */.exec(this.#text.split("\n")[begin.line] ?? "")?.[0].length ?? 0;
      return { line: begin.line + line, column: indent + column };
    }
    const isQuoted = node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE;
    const isOneLine = line === 1 && (isQuoted || node.type === Scalar.PLAIN);
    return isOneLine ? { line: begin.line, column: begin.column + (isQuoted ? column : column - 1) } : begin;
  }

  /**
   * The entries of a mapping.
   * @param what the mapping, for messages: `a query`
   * @param known the keys that it may have; undefined: any
   */
  entries(node: Node | null, what: string, known?: readonly string[]): Map<string, Entry> {
    if (!isMap(node)) throw this.error(node, `${what} must be a mapping of keys to values`);
    return new Map((node as YAMLMap<Node, Node | null>).items.map((pair) => this.#entry(pair, what, known)));
  }

  #entry({ key, value }: Pair<Node, Node | null>, what: string, known: readonly string[] | undefined): [string, Entry] {
    if (!isScalar(key) || typeof key.value !== "string") throw this.error(key, `a key of ${what} must be a text`);
    if (known !== undefined && !known.includes(key.value)) {
      throw this.error(key, `unknown key ${JSON.stringify(key.value)} of ${what}; ${didYouMean(key.value, known)}`);
    }
    return [key.value, { key: key as Scalar<string>, value }];
  }

  elements(node: Node | null, what: string): Node[] {
    if (!isSeq(node)) throw this.error(node, `${what} must be a list`);
    return node.items as Node[];
  }

  /** A text that is not empty. */
  text(node: Node | null, what: string): string {
    if (isScalar(node) && typeof node.value === "string" && node.value.trim() !== "") return node.value;
    throw this.error(node, `${what} must be a text that is not empty`);
  }

  #place(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  }

  #refuse(node: Node, message: string): never {
    throw this.error(node, message);
  }
}

/** The nearest of some names, or all of them. */
export function didYouMean(given: string, known: readonly string[]): string {
  const near = nearestWords(given, known);
  return near.length === 0 ? `use ${known.join(", ")}` : `did you mean ${near.join(" or ")}?`;
}

export function isList(node: Node | null): boolean {
  return isSeq(node) && !isAlias(node);
}

/** A value as JSON has it; numbers keep all digits. */
export function plainValue(node: Node | null): Json {
  if (isSeq(node)) return node.items.map((item) => plainValue(item as Node));
  if (isMap(node)) return node.toJSON() as Json;
  if (!isScalar(node)) return null;
  const { value, source = "" } = node;
  if (typeof value === "number" && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(source)) return exactNumber(source);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : null;
}
