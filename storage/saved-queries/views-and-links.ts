import type { Node } from "yaml";
import { didYouMean, type Entry, type FileReader } from "./file-reader.ts";
import { linkSubjects, type LinkSubject, type SavedLink, type SavedView } from "./types.ts";

/** Where the pages of the explorer begin. */
const PAGES = "/explorer";

/** The views of a file: addresses of pages, with a name. */
export function readViews(reader: FileReader, entry: Entry | undefined): SavedView[] {
  if (entry === undefined) return [];
  return reader.elements(entry.value, "views").map((node) => {
    const entries = reader.entries(node, "a view", ["name", "address"]);
    const [name, address] = [entries.get("name"), entries.get("address")];
    if (name === undefined || address === undefined) throw reader.error(node, "a view needs name and address");
    return {
      name: reader.text(name.value, "name").trim(),
      address: readAddress(reader, address.value),
      place: reader.placeOf(address.value),
    };
  });
}

/** The path and the parameters of an address, as it is copied from a browser or without the server. */
function readAddress(reader: FileReader, node: Node | null): string {
  const given = reader.text(node, "address").trim();
  const url = URL.parse(given, "http://explorer");
  const isAddress = given.startsWith("/") || /^https?:\/\//i.test(given);
  if (isAddress && url !== null && (url.pathname === PAGES || url.pathname.startsWith(`${PAGES}/`))) {
    return url.pathname + url.search + url.hash;
  }
  throw reader.error(node, `address must be that of a page, such as ${PAGES}/nodes?f=state%3D%22failed%22`);
}

/** The links of a file to other places, with parts that each node or report has its own values for. */
export function readLinks(reader: FileReader, entry: Entry | undefined): SavedLink[] {
  if (entry === undefined) return [];
  return reader.elements(entry.value, "links").map((node) => {
    const entries = reader.entries(node, "a link", ["label", "on", "url"]);
    const [label, on, url] = [entries.get("label"), entries.get("on"), entries.get("url")];
    if (label === undefined || on === undefined || url === undefined) {
      throw reader.error(node, "a link needs label, on and url");
    }
    const subject = readSubject(reader, on.value);
    return {
      label: reader.text(label.value, "label").trim(),
      on: subject,
      url: readUrl(reader, url.value, subject),
    };
  });
}

function readSubject(reader: FileReader, node: Node | null): LinkSubject {
  const known = Object.keys(linkSubjects) as LinkSubject[];
  const text = reader.text(node, "on");
  const subject = known.find((one) => one === text);
  if (subject !== undefined) return subject;
  throw reader.error(node, `unknown subject ${JSON.stringify(text)} of a link; ${didYouMean(text, known)}`);
}

/** The server of a link is the administrator's choice, so no value of a node can be a part of its name. */
function readUrl(reader: FileReader, node: Node | null, subject: LinkSubject): string {
  const url = reader.text(node, "url").trim();
  if (!/^https?:\/\/[^/?#{}\\\s]+(?:[/?#]|$)/i.test(url) || !URL.canParse(url)) {
    throw reader.error(node, "url must begin with https:// or http:// and the name of a server");
  }
  const known = linkSubjects[subject];
  for (const [, name = ""] of url.matchAll(/\{([^{}]*)\}/g)) {
    if (known.some((one) => one === name)) continue;
    throw reader.error(node, `unknown part {${name}} of the url for a ${subject}; ${didYouMean(name, known)}`);
  }
  return url;
}
