import { about } from "../data/about.ts";
import { useQuery } from "../data/use-query.ts";
import { literal, query } from "../pql/text.ts";

/**
 * Since when the facts of a node are as they are, by their paths with dots, also those in names; absent: nothing changed in the
 * recorded time.
 */
export function useFactsSince(certname: string): ReadonlyMap<string, string> {
  const { value = [] } = useQuery<{ readonly what: string; readonly from: string }>(
    about.value?.history == null
      ? undefined
      : {
          name: "Since when facts are as they are",
          pql: query("fact_changes", {
            select: ["what", "from"],
            where: `certname = ${literal(certname)} and until is null and node_state = "any"`,
          }),
        },
  );
  return new Map(value.map(({ what, from }) => [what, from]));
}
