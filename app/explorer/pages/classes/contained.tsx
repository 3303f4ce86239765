import type { JSX } from "preact";
import { useEnvironment } from "../address/address.ts";
import { useFacets } from "../data/use-facets.ts";
import { ExportMenu } from "../export/menu.tsx";
import { Panel } from "../frame/panel.tsx";
import { useGrowing } from "../list/growing.tsx";
import { and, literal, query } from "../pql/text.ts";
import { ResourceLink } from "../value/resource-link.tsx";
import { counted, valueText } from "../value/text.ts";

/** Resources that are fetched at most. */
const MOST = 1000;

/** The resources directly in a class, with the number of nodes that have them there. */
export function Contained({ name }: { readonly name: string }): JSX.Element {
  const environment = useEnvironment();
  const where = and(
    'relationship = "contains"',
    'source_type = "Class"',
    `source_title = ${literal(name)}`,
    environment === undefined ? undefined : `catalogs{ environment = ${literal(environment)} }`,
  );
  const loaded = useFacets({
    name: "Resources in the class",
    entity: "edges",
    where,
    facets: [["target_type", "target_title"]],
    per: "certname",
    limit: MOST,
  });
  const facet = loaded.value?.facets[0];
  const { shown, more } = useGrowing(facet?.values ?? [], { step: 100, noun: "resources" });
  return (
    <Panel
      title={facet === undefined ? "Contains" : `Contains ${facet.distinct.toLocaleString()} resources`}
      loaded={loaded}
      empty={facet?.values.length === 0 ? <p class="muted">It contains no resources.</p> : undefined}
      actions={
        <ExportMenu
          name="resources-in-class"
          pql={query("edges", {
            select: ["target_type", "target_title", "count()"],
            where,
            groupBy: ["target_type", "target_title"],
          })}
        />
      }
    >
      <ul class="contained">
        {shown.map(({ value, count }) => {
          const [type, title] = Array.isArray(value) ? value.map(valueText) : [];
          if (type === undefined || title === undefined) return null;
          return (
            <li key={`${type} ${title}`}>
              <ResourceLink resource={{ type, title }} />
              <span class="muted number">{counted(count, "node")}</span>
            </li>
          );
        })}
      </ul>
      {more}
      {facet !== undefined && facet.distinct > facet.values.length ? (
        <p class="muted">
          The {facet.values.length.toLocaleString()} on the most nodes are listed; the export has all.
        </p>
      ) : null}
    </Panel>
  );
}
