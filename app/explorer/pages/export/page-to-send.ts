import { about } from "../data/about.ts";
import { isWhole } from "../list/growing.tsx";

/** Parts of a page that are of no use without its program, or lead elsewhere. */
const WITHOUT_USE =
  "nav, form, select, textarea, datalist, dialog, label:has(input), .visually-hidden, .page-actions, .panel-actions, [data-not-sent]";

/** Attributes for the keyboard and for the program. */
const attributes = ["tabindex", "href", "aria-controls", "aria-describedby", "aria-expanded"] as const;

/** A page has no scripts; should a text be mistaken for one, the browser does not run it, and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = "body{padding:16px}.panel{break-inside:auto}footer{margin-top:24px}";

/** Ms between two looks at whether everything is shown. */
const PAUSE_MS = 50;

/** The content of the present page with all that is otherwise shown on demand, as one file without scripts. */
export async function pageToSend(): Promise<string> {
  isWhole.value = true;
  try {
    const content = document.querySelector("main .page");
    if (content === null) throw new Error("there is no page");
    await drawn(content);
    return pageOf(content, await styles());
  } finally {
    isWhole.value = false;
  }
}

/** Waits until nothing is added any more. */
async function drawn(content: Element): Promise<void> {
  let before = -1;
  for (let now = -2; before !== now; now = content.querySelectorAll("*").length) {
    before = now;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function pageOf(content: Element, styles: string): string {
  const copy = content.cloneNode(true) as Element;
  const fields = content.querySelectorAll("input");
  for (const [index, field] of copy.querySelectorAll("input").entries()) {
    if (field.type === "text") field.replaceWith(fields[index]?.value ?? "");
  }
  for (const element of copy.querySelectorAll(WITHOUT_USE)) element.remove();
  for (const button of copy.querySelectorAll("button")) {
    // The heading of a part that can be closed is a button, and so is the title of a column.
    if (button.closest("h1, h2, h3, .table-title") === null) button.remove();
    else button.replaceWith(...button.childNodes);
  }
  for (const link of copy.querySelectorAll("a")) {
    const text = document.createElement("span");
    text.className = link.className;
    text.append(...link.childNodes);
    link.replaceWith(text);
  }
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of attributes) element.removeAttribute(name);
  }
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">` +
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">` +
    `<title>${escaped(document.title)}</title><style>${styles}${STYLE}</style></head>\n` +
    `<body><main>${copy.outerHTML}</main><footer class="muted">${escaped(origin())}</footer></body></html>\n`
  );
}

/** The style sheets of the program as they were sent: a browser loses shorthands with variables when it writes rules. */
async function styles(): Promise<string> {
  const sheets = document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]");
  const texts = await Promise.all([...sheets].map(async ({ href }) => (await fetch(href)).text()));
  return texts.join("\n");
}

/** `From export.tgz, as of 2026-11-20 12:00 UTC; http://127.0.0.1:8080/explorer/reports/…` */
function origin(): string {
  const known = about.value;
  const source =
    known === undefined ? "" : `From ${known.source.name}, as of ${known.now.slice(0, 16).replace("T", " ")} UTC; `;
  return source + location.href;
}

/** A text as HTML, by the browser's own writer. */
function escaped(text: string): string {
  const element = document.createElement("span");
  element.textContent = text;
  return element.outerHTML.slice("<span>".length, -"</span>".length);
}
