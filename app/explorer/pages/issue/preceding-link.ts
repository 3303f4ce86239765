import type { Preceding, PrecedingChange } from "#storage/issues/preceding.ts";
import { href } from "../address/address.ts";
import { and, literal } from "../pql/text.ts";

/** The nodes that had a change in the time in which it counts. */
export function precedingHref(
  { kind, path, change }: PrecedingChange,
  { from, to }: Pick<Preceding, "from" | "to">,
): string {
  const [first = "", second = ""] = path.map(String);
  const at = and(`from > ${literal(from)}`, `from <= ${literal(to)}`, `change = ${literal(change)}`);
  const of = {
    fact: ["fact_changes", `what = ${literal(path.join("."))}`],
    package: ["package_changes", `what = ${literal(first)} and provider = ${literal(second)}`],
    resource: ["resource_changes", `type = ${literal(first)} and title = ${literal(second)}`],
    node: ["catalog_changes", `what = ${literal(first)}`],
  } as const;
  const [entity, condition] = of[kind];
  return href("nodes", [], { q: `certname in ${entity}[certname]{ ${and(condition, at) ?? ""} }` });
}
