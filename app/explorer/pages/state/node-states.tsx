import { useRef } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { literal, query } from "../pql/text.ts";
import type { Column } from "../table/column.ts";
import { StateMark } from "./state-mark.tsx";
import { type NodeStateRow, silence, type StateKey, stateFields, stateOf } from "./states.ts";

/** The column with the states of the nodes of some rows. @param certnames of the rows that are seen */
export function useStateColumn<Row extends { readonly certname: string }>(certnames: readonly string[]): Column<Row> {
  const known = useRef(new Map<string, StateKey>());
  const loaded = useQuery<NodeStateRow & { readonly certname: string }>(
    certnames.length === 0
      ? undefined
      : {
          name: "States of the nodes shown",
          pql: query("nodes", {
            select: ["certname", ...stateFields(silence.value)],
            where: `certname in [${certnames.map((name) => literal(name)).join(", ")}]`,
          }),
        },
  );
  for (const row of loaded.value ?? []) known.current.set(row.certname, stateOf(row, silence.value));
  return {
    key: "state",
    title: "State",
    width: 136,
    cell: ({ certname }) => {
      const state = known.current.get(certname);
      return state === undefined ? <span class="table-waiting" /> : <StateMark state={state} />;
    },
  };
}
