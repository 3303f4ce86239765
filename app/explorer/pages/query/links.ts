import type { Parameters } from "../address/address.ts";
import type { PageKey } from "../address/pages.ts";
import { factAddress } from "../pql/fact-path.ts";
import type { ResultRow } from "./columns.ts";

/** The page that a value of a result is about. */
export interface ResultLink {
  readonly page: PageKey;
  readonly segments?: readonly string[];
  readonly parameters?: Parameters;
}

/** Columns whose values have a page, whatever the entity. */
const byColumn: Readonly<Record<string, (text: string) => ResultLink>> = {
  certname: (text) => ({ page: "node", segments: [text] }),
  latest_report_hash: (text) => ({ page: "report", segments: [text] }),
  report: (text) => ({ page: "report", segments: [text] }),
  containing_class: (text) => ({ page: "classes", parameters: { class: text } }),
};

/** Pairs of columns that name a resource. */
const resources = [
  ["type", "title"],
  ["resource_type", "resource_title"],
  ["source_type", "source_title"],
  ["target_type", "target_title"],
] as const;

/** Where a value of a result leads; undefined for values without page. */
export function linkOf(entity: string | undefined, column: string, row: ResultRow): ResultLink | undefined {
  const value = row[column];
  if (Array.isArray(value)) {
    const isPath = column === "path" && value.every((part) => typeof part === "string" || typeof part === "number");
    return isPath && value.length > 0 ? factLink(value) : undefined;
  }
  if (typeof value !== "string" || value === "") return undefined;
  if (column === "hash" && entity === "reports") return { page: "report", segments: [value] };
  if (column === "name" && (entity === "facts" || entity === "fact_contents")) return factLink([value]);
  return Object.hasOwn(byColumn, column) ? byColumn[column]?.(value) : resourceLink(entity, column, row);
}

function factLink(path: readonly (string | number)[]): ResultLink {
  return { page: "fact", parameters: { path: factAddress(path) } };
}

function resourceLink(entity: string | undefined, column: string, row: ResultRow): ResultLink | undefined {
  const [typeColumn, titleColumn] = resources.find((pair) => pair.some((name) => name === column)) ?? [];
  if (typeColumn === undefined || titleColumn === undefined) return undefined;
  // Other entities have types of something else.
  if (typeColumn === "type" && entity !== "resources") return undefined;
  const [type, title] = [row[typeColumn], row[titleColumn]];
  if (typeof type !== "string") return undefined;
  if (column === typeColumn) return { page: "resources", parameters: { type } };
  if (typeof title !== "string") return undefined;
  return type === "Class"
    ? { page: "classes", parameters: { class: title } }
    : { page: "resource", parameters: { type, title } };
}
