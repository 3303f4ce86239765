import { hash } from "node:crypto";
import { style } from "./style.ts";

/** What a page says about its contents. */
export interface AboutPage {
  readonly title: string;
  /** The archive, data directory or server; of a comparison, both. */
  readonly source?: string | undefined;
  /** The present time of the data, ISO 8601. */
  readonly time?: string | undefined;
  /** The query whose rows these are. */
  readonly query?: string | undefined;
}

/** A page has no scripts; should a text be mistaken for one, the browser does not run it, and loads nothing. */
const POLICY = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; form-action 'none'`;

/** The beginning of a page, up to its contents. */
export function pageStart({ title, source, time, query }: AboutPage): string {
  const facts = [
    fact("Source", source),
    fact("Time", time === undefined ? undefined : `${shortTime(time)} UTC`),
    query === undefined ? "" : `<dt>Query</dt><dd><pre>${escaped(query.trim())}</pre></dd>`,
  ].join("");
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">` +
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">` +
    `<title>${escapedPlain(title)}</title><style>${style}</style></head>\n<body><h1>${escaped(title)}</h1>\n` +
    (facts === "" ? "" : `<dl>${facts}</dl>\n`)
  );
}

/** @param note the last line: `20 rows` */
export function pageEnd(note: string): string {
  return `${note === "" ? "" : `<p class="note">${escaped(note)}</p>\n`}</body></html>\n`;
}

function fact(name: string, value: string | undefined): string {
  return value === undefined ? "" : `<dt>${name}</dt><dd>${escaped(value)}</dd>`;
}

/** A point in time as people read it, to the second. */
export function shortTime(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that are not seen, or change how others are shown; line breaks and tabs are shown as such. */
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/gu;

/** A text as HTML that shows exactly its characters, in an element or in an attribute in quotes. */
function escapedPlain(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** The same in an element, with names for characters that nobody could see. */
export function escaped(text: string): string {
  return escapedPlain(text).replace(HIDDEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `<span class="code">U+${code}</span>`;
  });
}
