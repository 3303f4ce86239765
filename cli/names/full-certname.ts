import { pqlString } from "#storage/query/pql/string-text.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import { checkCertname } from "./check.ts";
import { knownNodes } from "./known-names.ts";

/**
 * The certname in full of a node that any of these sources has.
 * @param where prefix of messages, e.g. `diff: `
 * @throws UsageError when none has it, or it is short for several
 */
export async function fullCertname(where: string, text: string, sources: readonly ReadRows[]): Promise<string> {
  for (const readRows of sources) {
    const found = await readRows(`nodes[certname] { certname = ${pqlString(text)} and node_state = "any" }`);
    if (found.length > 0) return text;
  }
  const nodes = (await Promise.all(sources.map(knownNodes))).flat();
  const distinct = new Map(nodes.map((node) => [node.certname, node]));
  return checkCertname(where, text, [...distinct.values()]).fullName ?? text;
}
