import { compareBytewise } from "../bytewise.ts";
import type { Json } from "../json.ts";

/** Something that contains all words. */
export interface Finding {
  /** The certname, title or path; null where there is only a text. */
  readonly name: string | null;
  /** The value, message or line that contains the words; null where the name does. */
  readonly match: string | null;
  /** Nodes that have it; of messages and log lines, how often they occur. Null: it is one node, or unknown. */
  readonly count: number | null;
  /** What it is, where the name alone does not say it: a resource, or the path of a fact. */
  readonly subject?: { readonly type: string; readonly title: string } | { readonly path: readonly Json[] } | undefined;
}

/** The best first: what is equal to the words, what begins with them, then what is most frequent. */
export function bestFirst(findings: readonly Finding[], words: readonly string[]): Finding[] {
  const wanted = words.join(" ").toLowerCase();
  const nearness = ({ name, match }: Finding): number => {
    const texts = [name, match].map((text) => text?.toLowerCase() ?? "");
    if (texts.includes(wanted)) return 0;
    return texts.some((text) => text.startsWith(wanted)) ? 1 : 2;
  };
  return findings
    .map((finding) => ({ finding, near: nearness(finding), text: `${finding.name ?? ""}\0${finding.match ?? ""}` }))
    .sort(
      (a, b) => a.near - b.near || (b.finding.count ?? 0) - (a.finding.count ?? 0) || compareBytewise(a.text, b.text),
    )
    .map(({ finding }) => finding);
}

/** Findings with the same name and match as one. */
export function merged(findings: readonly Finding[], keyOf: (finding: Finding) => string): Finding[] {
  const byKey = new Map<string, Finding>();
  for (const finding of findings) {
    const key = keyOf(finding);
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? finding : { ...known, count: (known.count ?? 0) + (finding.count ?? 0) });
  }
  return [...byKey.values()];
}
