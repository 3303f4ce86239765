import { useRef } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { literal, query } from "../pql/text.ts";
import { type NodeStateRow, silentSince, stateColumns, type StateKey, stateOf } from "../state/states.ts";

/** The states of some nodes. @returns the state by certname; undefined while it is on its way */
export function useNodeStates(certnames: readonly string[]): (certname: string) => StateKey | undefined {
  const known = useRef(new Map<string, StateKey>());
  const loaded = useQuery<NodeStateRow & { readonly certname: string }>(
    certnames.length === 0
      ? undefined
      : {
          name: "States of the nodes shown",
          pql: query("nodes", {
            select: ["certname", ...stateColumns],
            where: `certname in [${certnames.map((name) => literal(name)).join(", ")}]`,
          }),
        },
  );
  for (const row of loaded.value ?? []) known.current.set(row.certname, stateOf(row, silentSince.value));
  return (certname) => known.current.get(certname);
}
