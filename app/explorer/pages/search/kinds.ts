import type { Finding } from "#storage/search/finding.ts";
import type { SearchKind } from "#storage/search/kinds.ts";
import { href } from "../address/address.ts";
import { factAddress, type FactPath } from "../pql/fact-path.ts";
import { literal, query, workbenchHref } from "../pql/text.ts";

/** What is searched, in the order of the page, by the name in the address. */
export const kindTitles = {
  node: "Nodes",
  class: "Classes",
  fact: "Facts",
  resource: "Resources",
  parameter: "Parameters of resources",
  package: "Packages",
  report: "Reports",
  message: "Messages of events",
  log: "Logs of the latest runs",
} as const satisfies Record<SearchKind, string>;

export const kindKeys = Object.keys(kindTitles) as readonly SearchKind[];

/** Where a finding leads to; undefined: no page is about it. */
export function findingHref(kind: SearchKind, { name, match, subject }: Finding): string | undefined {
  if (subject !== undefined && "type" in subject) return href("resource", [], { ...subject });
  if (subject !== undefined) return href("fact", [], { path: factAddress(subject.path as FactPath) });
  switch (kind) {
    case "node":
      return name === null ? undefined : href("node", [name]);
    case "class":
      return name === null ? undefined : href("classes", [], { class: name });
    case "package":
      return name === null ? undefined : href("package", [], { name });
    case "report":
      return name === null ? undefined : href("report", [name]);
    case "message":
      return match === null
        ? undefined
        : workbenchHref(
            query("events", { where: `message = ${literal(match)}`, orderBy: ["timestamp desc"], limit: 100 }),
          );
    default:
      return undefined;
  }
}

/** "12 nodes", "3 times"; nothing where it is one node. */
export function countText(kind: SearchKind, count: number | null): string {
  if (count === null) return "";
  const nouns = kind === "message" || kind === "log" ? ["time", "times"] : ["node", "nodes"];
  return `${count.toLocaleString()} ${count === 1 ? nouns[0] : nouns[1]}`;
}
