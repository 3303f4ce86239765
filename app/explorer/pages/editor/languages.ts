import { HighlightStyle, type StreamParser, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";
import { type TokenKind, tokenAt } from "./tokens.ts";

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

const pqlLanguage = StreamLanguage.define(pql);
const jsonLanguage = StreamLanguage.define(json);

const style = HighlightStyle.define([
  { tag: tags.typeName, class: "q-entity" },
  { tag: tags.standard(tags.variableName), class: "q-function" },
  { tag: tags.propertyName, class: "q-field" },
  { tag: tags.keyword, class: "q-keyword" },
  { tag: tags.operator, class: "q-operator" },
  { tag: tags.string, class: "q-string" },
  { tag: tags.number, class: "q-number" },
]);

/** The languages of the workbench: PQL, and the AST as JSON. */
export type QueryLanguage = "pql" | "ast";

/** Colours of a language's words. */
export function highlighting(language: QueryLanguage): Extension {
  return [language === "pql" ? pqlLanguage : jsonLanguage, syntaxHighlighting(style)];
}
