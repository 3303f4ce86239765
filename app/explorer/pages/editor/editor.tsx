import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  currentCompletions,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { linter, lintKeymap } from "@codemirror/lint";
import { Compartment, EditorState, type Extension, type Transaction } from "@codemirror/state";
import { drawSelection, EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { completeQuery, completeSql } from "./complete.ts";
import { highlighting } from "./languages.ts";
import type { QueryLanguage } from "./query-language.ts";
import { jsonProblem, meaningProblem, type QueryProblem, syntaxProblem } from "./problems.ts";
import { fetchJson, RequestError } from "../data/fetch-json.ts";

const wavy = {
  backgroundImage: "none",
  textDecoration: "underline wavy var(--failed)",
  textDecorationSkipInk: "none",
  textUnderlineOffset: "3px",
};

/** The editor in the tokens of the style sheet, which custom properties carry into its shadow root. */
const theme: Extension = EditorView.theme({
  "&": { color: "var(--text)", backgroundColor: "var(--ground)", fontSize: "13px", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "20px", minHeight: "120px" },
  ".cm-content": { caretColor: "var(--text)", padding: "6px 0" },
  ".cm-line": { padding: "0 8px" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--muted)", borderRight: "1px solid var(--line)" },
  ".cm-placeholder": { color: "var(--muted)" },
  "& .cm-selectionBackground, &.cm-focused .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground":
    { background: "color-mix(in srgb, var(--link) 24%, transparent)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--hover)",
    outline: "1px solid var(--field)",
  },
  ".cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket": {
    backgroundColor: "transparent",
    color: "var(--failed)",
  },
  // The mark of the package is an image in a data: URL, which the policy refuses.
  ".cm-lintRange-error": wavy,
  ".cm-lintRange-warning": { ...wavy, textDecoration: "underline wavy var(--corrective)" },
  ".cm-lintRange-active": { backgroundColor: "var(--hover)" },
  ".cm-lintPoint": { position: "relative" },
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--ground)",
    border: "1px solid var(--line)",
    borderRadius: "4px",
    boxShadow: "0 4px 16px #0003",
    maxWidth: "min(70ch, 92vw)",
  },
  ".cm-diagnostic": {
    padding: "4px 8px",
    borderLeft: "3px solid var(--failed)",
    font: "13px / 18px var(--sans)",
    whiteSpace: "pre-wrap",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "13px", maxHeight: "16em" },
  ".cm-tooltip-autocomplete > ul > li": { padding: "1px 8px", lineHeight: "20px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--link)", color: "var(--on-link)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal", fontFamily: "var(--sans)", marginLeft: "2em" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "600" },
  ".q-entity": { color: "var(--link)", fontWeight: "600" },
  ".q-function": { color: "var(--link)" },
  ".q-keyword": { color: "var(--code-word)" },
  ".q-operator": { color: "var(--code-word)" },
  ".q-string": { color: "var(--code-text)" },
  ".q-number": { color: "var(--code-text)" },
});

let checking: AbortController | undefined;

/** What is wrong with a query: first its form, which is checked here, then its meaning, which the server knows. */
async function problemsOf(text: string, language: QueryLanguage): Promise<QueryProblem[]> {
  checking?.abort();
  // Only the engine knows SQL: what is wrong with a statement is known when it runs.
  if (language === "sql") return [];
  const problem = language === "pql" ? syntaxProblem(text) : jsonProblem(text);
  if (problem !== undefined) return [problem];
  if (text.trim() === "") return [];
  const own = new AbortController();
  checking = own;
  try {
    await fetchJson({ path: "/pdb/query/v4", parameters: { query: text, ast_only: true } }, own.signal);
    return [];
  } catch (error) {
    // A check that was aborted, or that the server could not do, finds nothing.
    const found = error instanceof RequestError ? meaningProblem(text, error) : undefined;
    return found === undefined ? [] : [found];
  }
}

/** What the page does to the editor. */
export interface EditorHandle {
  /** Replaces the selection, or inserts at the cursor; moves the focus to the editor. */
  readonly insert: (text: string) => void;
  readonly focus: () => void;
}

export interface EditorProps {
  /** Shown to screen readers. */
  readonly label: string;
  readonly language: QueryLanguage;
  /** A change from outside replaces what was written. */
  readonly text: string;
  /** The text at this moment: while one types, `text` may be that of a key before. */
  readonly textNow: () => string;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
  /** Esc, when nothing else is open. */
  readonly onCancel: () => void;
  /** Called with what is wrong, 300 ms after the last change. */
  readonly onProblems: (problems: readonly QueryProblem[]) => void;
  readonly onReady: (handle: EditorHandle | undefined) => void;
}

/** How long after the last key a query is checked, ms. */
const CHECK_MS = 300;

/**
 * The editor of queries. It is in a shadow root: there its styles are adopted style sheets, while in the document they would be
 * a `<style>` element, which the policy refuses.
 */
export default function Editor(props: EditorProps): JSX.Element {
  const { language, text } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const languages = useRef(new Compartment());

  useEffect(() => {
    const { current } = host;
    if (current === null) return undefined;
    const root = current.shadowRoot ?? current.attachShadow({ mode: "open" });
    const created = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [common(latest), languages.current.of(forLanguage(language, latest))],
      }),
    });
    view.current = created;
    latest.current.onReady(handleOf(created));
    return () => {
      latest.current.onReady(undefined);
      created.destroy();
      view.current = undefined;
    };
  }, []);

  useEffect(() => {
    view.current?.dispatch({ effects: languages.current.reconfigure(forLanguage(language, latest)) });
  }, [language]);

  useEffect(() => {
    const created = view.current;
    const wanted = latest.current.textNow();
    if (created === undefined || created.state.doc.toString() === wanted) return;
    created.dispatch({
      changes: { from: 0, to: created.state.doc.length, insert: wanted },
      selection: { anchor: wanted.length },
    });
  }, [text]);

  return <div ref={host} class="editor" data-editor />;
}

type Latest = { readonly current: EditorProps };

/**
 * Inserts what is typed. Left to the browser, it would go into an element with the style of the text before it, written as a
 * `style` attribute, which the policy refuses and reports.
 */
function insertTyped(event: InputEvent, view: EditorView): boolean {
  const { data } = event;
  if (event.inputType !== "insertText" || data === null || event.isComposing || view.composing) return false;
  const { from, to } = view.state.selection.main;
  const inserted = (): Transaction =>
    view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
  const isHandled = view.state
    .facet(EditorView.inputHandler)
    .some((handler) => handler(view, from, to, data, inserted));
  if (!isHandled) view.dispatch(inserted());
  event.preventDefault();
  return true;
}

/** What all languages have. */
function common(latest: Latest): Extension {
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    bracketMatching(),
    closeBrackets(),
    EditorView.lineWrapping,
    theme,
    EditorView.domEventHandlers({ beforeinput: insertTyped }),
    // Esc closes shown suggestions; otherwise it cancels. A key binding would not do: that of completion comes first, and also
    // ends a completion that found nothing.
    EditorView.domEventObservers({
      keydown: ({ key }, { state }) => {
        if (key === "Escape" && currentCompletions(state).length === 0) latest.current.onCancel();
      },
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onText(update.state.doc.toString());
    }),
    keymap.of([
      {
        key: "Mod-Enter",
        run: () => {
          latest.current.onRun();
          return true;
        },
      },
      // Tab accepts a suggestion; otherwise it leaves the editor.
      { key: "Tab", run: acceptCompletion },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
  ];
}

const examples: Readonly<Record<QueryLanguage, string>> = {
  pql: 'nodes[certname]{ latest_report_status = "failed" }',
  ast: '["from", "nodes"]',
  sql: "SELECT latest_report_status, count(*) AS nodes FROM nodes GROUP BY ALL",
};

function forLanguage(language: QueryLanguage, latest: Latest): Extension {
  return [
    highlighting(language),
    EditorView.contentAttributes.of({
      "aria-label": latest.current.label,
      // Spelling and capitals are those of the language.
      spellcheck: "false",
      autocorrect: "off",
      autocapitalize: "off",
    }),
    placeholder(examples[language]),
    language === "ast"
      ? []
      : autocompletion({ override: [language === "pql" ? completeQuery : completeSql], icons: false }),
    linter(
      async ({ state }) => {
        const problems = await problemsOf(state.doc.toString(), language);
        latest.current.onProblems(problems);
        return problems.map((problem) => ({ ...problem, severity: "error" as const }));
      },
      { delay: CHECK_MS },
    ),
  ];
}

function handleOf(view: EditorView): EditorHandle {
  return {
    insert: (text) => {
      view.dispatch(view.state.replaceSelection(text));
      view.focus();
    },
    focus: () => view.focus(),
  };
}
