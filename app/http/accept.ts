import type { IncomingMessage } from "node:http";

/** Whether a client accepts bodies that are compressed with gzip. */
export function acceptsGzip({ headers: { "accept-encoding": header } }: IncomingMessage): boolean {
  if (header === undefined) return false;
  return header.split(",").some((item) => {
    const [coding = "", ...parameters] = item.trim().toLowerCase().split(";");
    return (
      (coding === "gzip" || coding === "*") && !parameters.some((parameter) => /^\s*q=0(?:\.0*)?$/.test(parameter))
    );
  });
}

/** Whether a client wants an answer that is made now, rather than an earlier one that is still right. */
export function wantsNewAnswer({ headers: { "cache-control": header } }: IncomingMessage): boolean {
  return header !== undefined && /(?:^|,)\s*(?:no-cache|no-store|max-age=0)\s*(?:,|$)/i.test(header);
}

/** Whether the `Accept` header names HTML, as that of browsers does when they open a page. */
export function namesHtml({ headers: { accept = "" } }: IncomingMessage): boolean {
  return accept.split(",").some((item) => item.split(";")[0]?.trim().toLowerCase() === "text/html");
}

/** The same of browsers alone: libraries such as Java's name HTML too, but not its XML form. */
export function namesBrowserPages(message: IncomingMessage): boolean {
  return namesHtml(message) && /(?:^|,)\s*application\/xhtml\+xml\s*(?:;|,|$)/i.test(message.headers.accept ?? "");
}
