import { eastAsianWidth } from "get-east-asian-width";

// A terminal shows letters of Latin scripts and the signs of tables most often; for those no property of Unicode is read.
const LATIN_END = 0x300;
const CONTROL_END = 0xa0;
const SOFT_HYPHEN = 0xad;
const SIGNS = { from: 0x2190, to: 0x2600 };

const KEYCAP = /^[\d#*]\u{fe0f}?\u{20e3}$/u;
const ZERO_WIDTH_JOINER = "\u{200d}";

/** Compiled when they are first needed: that takes longer than all else that a short table needs. */
let properties: ReturnType<typeof compileProperties> | undefined;

function compileProperties() {
  return {
    /** What begins a cluster that is shown. */
    visible:
      /[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Surrogate}]/u,
    /** What is wide although its first character may not be: emoji by a selector, with a skin colour, flags. */
    emoji: /^(?:[\p{Emoji}--\p{ASCII}]\u{fe0f}|\p{Emoji}\p{Emoji_Modifier}|\p{Regional_Indicator}{2}$)/v,
    pictograph: /\p{Extended_Pictographic}/gu,
    /** What takes columns of its own behind the first character. */
    spacing: /[\p{Spacing_Mark}\u{ff00}-\u{ffef}]/u,
  };
}

/** How many columns of a terminal a grapheme takes: a character with the marks and signs that are shown in its place. */
export function graphemeWidth(grapheme: string): number {
  const first = grapheme.codePointAt(0) ?? 0;
  if (grapheme.length === 1) {
    if (first < LATIN_END)
      return first < 0x20 || (first >= 0x7f && first < CONTROL_END) || first === SOFT_HYPHEN ? 0 : 1;
    if (first >= SIGNS.from && first < SIGNS.to) return eastAsianWidth(first);
  }
  properties ??= compileProperties();
  const { visible, emoji, pictograph, spacing } = properties;
  const start = grapheme.search(visible);
  if (start < 0) return 0;
  if (emoji.test(grapheme) || KEYCAP.test(grapheme)) return 2;
  if (grapheme.includes(ZERO_WIDTH_JOINER) && (grapheme.match(pictograph)?.length ?? 0) > 1) return 2;
  const [base = "", ...rest] = grapheme.slice(start);
  return [base, ...rest.filter((character) => spacing.test(character))].reduce(
    (width, character) => width + eastAsianWidth(character.codePointAt(0) ?? 0),
    0,
  );
}
