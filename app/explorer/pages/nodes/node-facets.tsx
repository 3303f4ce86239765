import { factTitle } from "../pql/fact-path.ts";
import type { Facet } from "../facets/facet.ts";
import { originField } from "../pql/related-field.ts";
import { StateMark } from "../state/state-mark.tsx";
import { mostUrgentFirst, stateKeys } from "../state/states.ts";

const fixed: readonly Facet[] = [
  {
    field: "state",
    label: "State",
    order: mostUrgentFirst,
    show: (value) => {
      const key = stateKeys.find((one) => one === value);
      return key === undefined ? undefined : <StateMark state={key} />;
    },
  },
  { field: "report_environment", label: "Environment" },
  { field: "facts.os.name", label: "OS" },
  { field: "facts.os.release.major", label: "OS release" },
  { field: "facts.puppetversion", label: "Agent version" },
  { field: "catalogs.producer", label: "Producer" },
  { field: "latest_report_noop", label: "Noop mode" },
];

/** The facets of nodes: the fixed ones, where servers are followed their names, and facts that were added. */
export function nodeFacets(added: readonly string[], hasOrigins: boolean): readonly Facet[] {
  const more = added.filter((field) => fixed.every((facet) => facet.field !== field) && factTitle(field) !== undefined);
  return [
    ...fixed,
    ...(hasOrigins ? [{ field: originField, label: "Origin" }] : []),
    ...more.map((field) => ({ field, label: factTitle(field) ?? field })),
  ];
}
