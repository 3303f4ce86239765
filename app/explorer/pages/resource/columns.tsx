import { StateMark } from "../state/state-mark.tsx";
import type { StateKey } from "../state/states.ts";
import { certnameColumn } from "../table/cells.tsx";
import type { Column } from "../table/column.ts";
import { Place } from "../value/resource-link.tsx";
import { compactJson, visibleText } from "../value/text.ts";
import { Text, Value } from "../value/value.tsx";
import type { ResourceRow } from "./spread.ts";

/** Characters in a cell. */
const SHOWN = 200;

/**
 * The columns of the nodes that have a resource.
 * @param states of nodes by certname, as far as they are known
 * @param parameters those with different values
 * @param hasExported whether any node exports the resource
 */
export function resourceTable(
  states: (certname: string) => StateKey | undefined,
  { parameters, hasExported }: { readonly parameters: readonly string[]; readonly hasExported: boolean },
): readonly Column<ResourceRow>[] {
  return [
    certnameColumn(),
    {
      key: "state",
      title: "Node",
      width: 136,
      cell: (row) => {
        const state = states(row.certname);
        return state === undefined ? <span class="table-waiting" /> : <StateMark state={state} />;
      },
    },
    {
      key: "environment",
      title: "Environment",
      width: 130,
      sort: "environment",
      text: (row) => row.environment ?? undefined,
      cell: (row) => <Text text={row.environment ?? "–"} limit={SHOWN} />,
    },
    ...parameters.map(parameterColumn),
    ...(hasExported ? [exportedColumn] : []),
    {
      key: "file",
      title: "Place",
      width: 280,
      sort: "file",
      cell: (row) => <Place file={row.file} line={row.line} />,
    },
  ];
}

const exportedColumn: Column<ResourceRow> = {
  key: "exported",
  title: "Exported",
  width: 110,
  sort: "exported",
  cell: (row) => (row.exported ? "exported" : <span class="muted">–</span>),
};

function parameterColumn(name: string): Column<ResourceRow> {
  return {
    key: `parameters.${name}`,
    title: visibleText(name.slice(0, SHOWN)),
    width: 180,
    text: (row) => {
      const value = row.parameters?.[name];
      return value === undefined ? undefined : compactJson(value, SHOWN);
    },
    cell: (row) => <Value value={row.parameters?.[name]} limit={SHOWN} />,
  };
}
