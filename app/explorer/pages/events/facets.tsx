import type { Facet } from "../facets/facet.ts";
import { EventStatus } from "../report/event-status.tsx";

/** The facets of events. @param hasDrift whether corrective changes are stored */
export function eventFacets(hasDrift: boolean): readonly Facet[] {
  return [
    {
      field: "status",
      label: "Status",
      order: ["failure", "success", "noop", "skipped", "audit"],
      show: (value) => (typeof value === "string" ? <EventStatus status={value} isCorrective={false} /> : undefined),
    },
    ...(hasDrift
      ? [
          {
            field: "corrective_change",
            label: "Kind of change",
            order: [true, false],
            show: (value) => (value === true ? "drift" : value === false ? "intended" : undefined),
          } satisfies Facet,
        ]
      : []),
    { field: "environment", label: "Environment" },
    { field: "resource_type", label: "Type" },
    { field: "containing_class", label: "Class" },
  ];
}
