import type { ComponentChildren, JSX } from "preact";
import { useState } from "preact/hooks";
import { isNumber, type Json, numberText } from "#storage/json.ts";
import { isWhole as isPageWhole } from "../list/growing.tsx";
import { beginning, compactJson, humanForm, needsQuotes, SHOWN_CHARACTERS, textParts, visibleText } from "./text.ts";
import { escapePattern } from "../pql/text.ts";

/** Longer texts have their marks inside of one text node: hundreds of thousands of elements would stop the page. */
const MOST_MARKED = 50_000;

export interface TextProps {
  readonly text: string;
  /** Characters before "show all"; default 2,000. */
  readonly limit?: number;
  /** Keeps line breaks and runs of blanks. */
  readonly isMultiline?: boolean;
}

/** A text from a client: invisible characters as marks, its direction isolated, long ones cut. */
export function Text({ text, limit = SHOWN_CHARACTERS, isMultiline = false }: TextProps): JSX.Element {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole || (text.length > limit && isPageWhole.value) ? text : beginning(text, limit);
  return (
    <>
      <bdi class={isMultiline ? "text-lines" : undefined}>{marked(shown)}</bdi>
      {shown.length === text.length ? null : <ShowAll length={text.length} onClick={() => setIsWhole(true)} />}
    </>
  );
}

/** The end of a text that is cut: a button that shows all of it. */
export function ShowAll({ length, onClick }: { readonly length: number; readonly onClick: () => void }): JSX.Element {
  return (
    <>
      …{" "}
      <button type="button" class="plain show-all" onClick={onClick}>
        show all {length.toLocaleString()} characters
      </button>
    </>
  );
}

/** A text with its invisible characters as marks, for places that cut by themselves. */
export function marked(text: string): ComponentChildren {
  if (text.length > MOST_MARKED) return visibleText(text);
  return textParts(text).map((part, index) =>
    part.isMark ? (
      // Parts have no identity but their place.
      // oxlint-disable-next-line react/no-array-index-key -- see above
      <span key={index} class="text-mark" title="Characters that cannot be seen">
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}

export interface ValueProps {
  /** undefined: there is none. */
  readonly value: Json | undefined;
  /** Its name or the last part of its path; bytes, spans and times then get a human form beside them. */
  readonly name?: string;
  /** Texts always in quotes. Without it only where they would be read as something else. */
  readonly quoted?: boolean;
  readonly limit?: number;
}

/** A value of JSON by its type. Objects and lists are compact; a tree shows them in full. */
export function Value({ value, name, quoted = false, limit = SHOWN_CHARACTERS }: ValueProps): JSX.Element {
  if (value === undefined) return <span class="muted">–</span>;
  const human = name === undefined ? undefined : humanForm(name, value);
  return (
    <span class={`value value-${typeOf(value)}`}>
      <Scalar value={value} quoted={quoted} limit={limit} />
      {human === undefined ? null : <span class="value-human"> {human}</span>}
    </span>
  );
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (isNumber(value)) return "number";
  return Array.isArray(value) ? "list" : typeof value;
}

function Scalar({ value, quoted, limit }: { value: Json; quoted: boolean; limit: number }): JSX.Element {
  if (typeof value === "string") {
    const hasQuotes = quoted || needsQuotes(value);
    return (
      <>
        {hasQuotes ? <span class="value-quote">"</span> : null}
        <Text text={value} limit={limit} isMultiline={value.includes("\n")} />
        {hasQuotes ? <span class="value-quote">"</span> : null}
      </>
    );
  }
  if (isNumber(value)) return <Text text={numberText(value)} limit={limit} />;
  if (value === null || typeof value === "boolean") return <>{String(value)}</>;
  return <Compact value={value} limit={limit} />;
}

/** An object or a list in one line; the rest is written only when the user opens it. */
function Compact({ value, limit }: { value: Json; limit: number }): JSX.Element {
  const [isWhole, setIsWhole] = useState(false);
  const isAll = isWhole || isPageWhole.value;
  const text = compactJson(value, isAll ? Infinity : limit);
  const shown = isAll ? text : beginning(text, limit);
  return (
    <>
      <bdi class="mono">{marked(shown)}</bdi>
      {shown.length === text.length ? null : (
        <>
          …{" "}
          <button type="button" class="plain show-all" onClick={() => setIsWhole(true)}>
            show all
          </button>
        </>
      )}
    </>
  );
}

/** Whether a text contains another one, ignoring case; every text contains the empty one. */
export function holds(text: string, needle: string): boolean {
  return text.toLowerCase().includes(needle.toLowerCase());
}

/** A text with what was searched for marked. */
export function highlighted(text: string, ...needles: readonly string[]): ComponentChildren {
  const wanted = needles.filter((needle) => needle !== "").map(escapePattern);
  if (wanted.length === 0) return marked(text);
  const pattern = new RegExp(`(${wanted.join("|")})`, "iu");
  // Splitting by a group puts the hits at the odd places.
  return text.split(pattern).map((part, index) =>
    // Parts have no identity but their place.
    // oxlint-disable-next-line react/no-array-index-key -- see above
    index % 2 === 1 ? <mark key={index}>{marked(part)}</mark> : marked(part),
  );
}
