import { compareBytewise } from "../bytewise.ts";
import type { Json } from "../json.ts";
import { count, json, list, loose, object, optional, orNull, type Shaped, text, truth } from "../shape.ts";

const finding = object({
  name: orNull(text("The certname, title or path; null where there is only a text")),
  match: orNull(text("The value, message or line that has the words; null where the name has")),
  count: orNull(
    loose<number>({
      type: "integer",
      description: "Nodes that have it; of messages and lines of logs, how often they occur",
    }),
  ),
  subject: optional(
    loose<{ readonly type: string; readonly title: string } | { readonly path: readonly Json[] } | undefined>({
      type: "object",
      properties: { type: text(), title: text(), path: list(json()) },
      description: "The resource, or the path of the fact",
    }),
  ),
});

/** Something that contains all words. */
export type Finding = Shaped<typeof finding>;

/** What was found of a kind. */
export const foundShape = object({
  total: count("Findings, of which some may not be listed"),
  findings: list(finding, "The best first: what is equal to the words, what begins with them, what is most frequent"),
  isComplete: truth(
    "Whether all that may have the words was looked at: of words that nearly everything has, it is a part",
  ),
});

export type Found = Shaped<typeof foundShape>;

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
