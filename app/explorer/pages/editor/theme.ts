import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

const wavy = {
  backgroundImage: "none",
  textDecoration: "underline wavy var(--failed)",
  textDecorationSkipInk: "none",
  textUnderlineOffset: "3px",
};

/** The editor in the tokens of the style sheet, which custom properties carry into its shadow root. */
export const theme: Extension = EditorView.theme({
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
