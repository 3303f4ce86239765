import { contentOf, nameIn, resourceFieldsOf } from "./name-fields.ts";
import type { UsedName } from "./used-name.ts";

/**
 * The names in a SQL statement that its source should have: literals that a column must be equal to (`certname = 'web-01'`,
 * `certname IN ('web-01')`). The statement is only read as words, so that the same is found for every source: a column means
 * what it means in the views that the statement names.
 * @param views the names of all views
 */
export function namesOfSql(statement: string, views: readonly string[]): UsedName[] {
  const words = wordsOf(statement);
  const used = views.filter((view) => words.some(({ kind, text }) => kind === "name" && text === view));
  const equalities = equalitiesOf(words);
  const names = used.flatMap((view) => [
    ...equalities.flatMap(({ column, value }) => nameIn(view, column, value)),
    ...resourcesOf(view, equalities),
    ...contentOf(view),
  ]);
  return [...new Map(names.map((name) => [JSON.stringify(name), name])).values()];
}

interface Word {
  readonly kind: "name" | "text" | "sign";
  readonly text: string;
}

const WORD =
  /--[^\n]*|\/\*.*?\*\/|'(?<text>(?:[^']|'')*)'|"(?<quoted>(?:[^"]|"")*)"|(?<name>[A-Za-z_]\w*)|(?<sign>\S)/gs;

/** Names in lower case, texts and signs; comments are left out. */
function wordsOf(statement: string): Word[] {
  return [...statement.matchAll(WORD)].flatMap(({ groups = {} }): Word[] => {
    const { text, quoted, name, sign } = groups;
    if (text !== undefined) return [{ kind: "text", text: text.replaceAll("''", "'") }];
    if (name !== undefined || quoted !== undefined)
      return [{ kind: "name", text: (name ?? quoted ?? "").toLowerCase() }];
    return sign === undefined ? [] : [{ kind: "sign", text: sign }];
  });
}

interface Equality {
  readonly column: string;
  readonly value: string;
}

function equalitiesOf(words: readonly Word[]): Equality[] {
  return words.flatMap((word, index): Equality[] => {
    if (word.kind !== "name") return [];
    const column = word.text;
    const [next, ...after] = words.slice(index + 1, index + 3);
    if (isSign(next, "=")) return after.flatMap(({ kind, text }) => (kind === "text" ? [{ column, value: text }] : []));
    if (next?.kind !== "name" || next.text !== "in" || !isSign(after[0], "(")) return [];
    const rest = words.slice(index + 3);
    const end = rest.findIndex((each) => isSign(each, ")"));
    return rest.slice(0, end).flatMap(({ kind, text }) => (kind === "text" ? [{ column, value: text }] : []));
  });
}

function isSign(word: Word | undefined, text: string): boolean {
  return word?.kind === "sign" && word.text === text;
}

/** The resource that a statement is about, if it compares a type, and a title, with one text. */
function resourcesOf(view: string, equalities: readonly Equality[]): UsedName[] {
  const valuesOf = (column: string): string[] =>
    equalities.filter((each) => each.column === column).map(({ value }) => value);
  return resourceFieldsOf(view).flatMap((fields): UsedName[] => {
    const [type, ...otherTypes] = valuesOf(fields.type);
    const [title, ...otherTitles] = valuesOf(fields.title);
    if (type === undefined || otherTypes.length > 0 || otherTitles.length > 0) return [];
    return [{ kind: "resource", type, title }];
  });
}
