import { asOf } from "../data/as-of.ts";
import { urlOf } from "../data/fetch-json.ts";

/** A text in single quotes for a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The query for the command line of Census. @param time default: that whose state the pages show */
export function asCensus(pql: string, time = asOf.peek()): string {
  return `census query ${shellQuote(pql)} --url ${location.origin}${time === undefined ? "" : ` --as-of ${time}`}`;
}

/** A statement in SQL for the command line of Census, for a server whose setting `allow-sql` is on. */
export function asCensusSql(statement: string): string {
  return `census sql ${shellQuote(statement)} --url ${location.origin}`;
}

/** The query for curl. @param time default: that whose state the pages show */
export function asCurl(pql: string, time = asOf.peek()): string {
  const parameters = { query: pql, as_of: time };
  return `curl -sS ${shellQuote(`${location.origin}${urlOf({ path: "/pdb/query/v4", parameters })}`)}`;
}

/** The query for Puppet code, which queries the present state. */
export function asPuppet(pql: string): string {
  return `puppetdb_query('${pql.replaceAll(/['\\]/g, String.raw`\$&`)}')`;
}

/** Copies a text. @returns whether the browser allowed it */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text);
  }
}

/** Pages that were not loaded over TLS or from this machine have no clipboard object. */
function copyFromField(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}
