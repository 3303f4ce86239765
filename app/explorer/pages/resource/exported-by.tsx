import type { JSX } from "preact";
import { href } from "../address/address.ts";
import type { Facet } from "#storage/query/facets/answer.ts";
import { useQuery } from "../data/use-query.ts";
import { and, query } from "../pql/text.ts";
import { marked } from "../value/value.tsx";

/** Names shown at most. */
const SHOWN = 5;

export interface ExportedByProps {
  /** The condition that selects the resource. */
  readonly where: string | undefined;
  /** How many nodes export it; without it nothing is fetched. */
  readonly exported: Facet | undefined;
}

/** Which nodes export a resource and how many collect it; nothing when nobody exports it. */
export function ExportedBy({ where, exported }: ExportedByProps): JSX.Element | null {
  const count = exported?.values.find(({ value }) => value === true)?.count ?? 0;
  const loaded = useQuery<{ certname: string }>(
    count > 0
      ? {
          name: "Nodes that export the resource",
          pql: query("resources", {
            select: ["certname"],
            where: and(where, "exported = true"),
            orderBy: ["certname"],
            limit: SHOWN,
          }),
        }
      : undefined,
  );
  const exporters = loaded.value ?? [];
  if (exporters.length === 0) return null;
  const more = count - exporters.length;
  return (
    <p>
      Exported by{" "}
      {exporters.map(({ certname }, index) => (
        <span key={certname}>
          {index === 0 ? "" : ", "}
          <a href={href("node", [certname])}>
            <bdi>{marked(certname)}</bdi>
          </a>
        </span>
      ))}
      {more > 0 ? ` and ${more.toLocaleString()} others` : ""}; the other nodes below collect it.
    </p>
  );
}
