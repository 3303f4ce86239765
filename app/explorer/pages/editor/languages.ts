import type { QueryLanguage } from "./query-language.ts";
import { HighlightStyle, StreamLanguage, type StreamParser, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { entities } from "#storage/query/entities/index.ts";
import { tokenAt, type TokenKind } from "./tokens.ts";
import { SQL_KEYWORDS } from "./complete.ts";

const tagsOfKinds = {
  entity: tags.typeName,
  function: tags.standard(tags.variableName),
  field: tags.propertyName,
  keyword: tags.keyword,
  operator: tags.operator,
  string: tags.string,
  number: tags.number,
  bracket: tags.bracket,
} as const satisfies Partial<Record<TokenKind, unknown>>;

/** A text continues in the next line. */
interface State {
  quote: string | undefined;
}

const pql: StreamParser<State> = {
  name: "pql",
  startState: () => ({ quote: undefined }),
  token: (stream, state) => {
    if (state.quote === undefined) {
      const { kind, end } = tokenAt(stream.string, stream.pos);
      const first = stream.string.charAt(stream.pos);
      const text = stream.string.slice(stream.pos, end);
      stream.pos = end;
      if (kind === "string" && (text.length < 2 || !closes(text, first))) state.quote = first;
      return kind in tagsOfKinds ? kind : null;
    }
    for (let escaped = false; !stream.eol();) {
      const char = stream.next();
      if (!escaped && char === state.quote) {
        state.quote = undefined;
        break;
      }
      escaped = !escaped && char === "\\";
    }
    return "string";
  },
  languageData: { closeBrackets: { brackets: ["(", "[", "{", '"', "'"] } },
  tokenTable: tagsOfKinds,
};

/** Whether a text that begins with a quote ends with one that is not escaped. */
function closes(text: string, quote: string): boolean {
  const [, backslashes = ""] = /(\\*)[^\\]$/.exec(text) ?? [];
  return text.endsWith(quote) && backslashes.length % 2 === 0;
}

const json: StreamParser<undefined> = {
  name: "json",
  startState: () => undefined,
  token: (stream) => {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) !== null) return "string";
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/) !== null) return "number";
    if (stream.match(/^(?:true|false|null)\b/) !== null) return "keyword";
    if (stream.match(/^[[\]{}]/) !== null) return "bracket";
    stream.next();
    return null;
  },
  languageData: { closeBrackets: { brackets: ["[", "{", '"'] } },
  tokenTable: tagsOfKinds,
};

const sqlKeywords: ReadonlySet<string> = new Set(SQL_KEYWORDS);

const sql: StreamParser<undefined> = {
  name: "sql",
  startState: () => undefined,
  token: (stream) => {
    if (stream.eatSpace()) return null;
    if (stream.match(/^'(?:[^']|'')*'?/) !== null) return "string";
    if (stream.match(/^"(?:[^"]|"")*"?/) !== null) return "field";
    if (stream.match(/^--.*/) !== null) return null;
    if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/) !== null) return "number";
    if (stream.match(/^[()[\]{}]/) !== null) return "bracket";
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (Array.isArray(word)) {
      const [name = ""] = word;
      if (sqlKeywords.has(name.toUpperCase())) return "keyword";
      return Object.hasOwn(entities, name) ? "entity" : null;
    }
    stream.next();
    return null;
  },
  languageData: { closeBrackets: { brackets: ["(", "[", "'", '"'] } },
  tokenTable: tagsOfKinds,
};

const languages = {
  pql: StreamLanguage.define(pql),
  ast: StreamLanguage.define(json),
  sql: StreamLanguage.define(sql),
} as const;

const style = HighlightStyle.define([
  { tag: tags.typeName, class: "q-entity" },
  { tag: tags.standard(tags.variableName), class: "q-function" },
  { tag: tags.propertyName, class: "q-field" },
  { tag: tags.keyword, class: "q-keyword" },
  { tag: tags.operator, class: "q-operator" },
  { tag: tags.string, class: "q-string" },
  { tag: tags.number, class: "q-number" },
]);

/** Colours of a language's words. */
export function highlighting(language: QueryLanguage): Extension {
  return [languages[language], syntaxHighlighting(style)];
}
