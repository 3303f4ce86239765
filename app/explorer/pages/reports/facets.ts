import type { Facet } from "../facets/filters.ts";
import { catalogLabel } from "../report/rows.ts";

/** Facets of the list of reports. @param hasCorrective whether corrective changes are stored */
export function reportFacets(hasCorrective: boolean): readonly Facet[] {
  return [
    { field: "status", label: "Status", order: ["failed", "changed", "unchanged"] },
    { field: "environment", label: "Environment" },
    {
      field: "cached_catalog_status",
      label: "Catalog",
      order: ["on_failure", "explicitly_requested", "not_used"],
      show: (value) => catalogLabel(typeof value === "string" ? value : null),
    },
    { field: "noop", label: "Noop" },
    ...(hasCorrective ? [{ field: "corrective_change", label: "Corrective change" }] : []),
    { field: "producer", label: "Producer" },
    { field: "puppet_version", label: "Agent" },
  ];
}
