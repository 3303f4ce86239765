import { CensusError } from "#storage/errors.ts";
import { checkNames } from "../names/check.ts";
import type { ReadRows } from "../sources/read-rows.ts";
import { nodeSummary, type NodeSummary, type SourceClock } from "./summary.ts";

/**
 * The node of this certname, or of the only one that begins with it up to a dot.
 * @throws UsageError naming the nearest certnames when there is none
 */
export async function namedNode(name: string, readRows: ReadRows, clock: SourceClock): Promise<NodeSummary> {
  const exact = await nodeSummary(name, readRows, clock);
  if (exact !== undefined) return exact;
  const { fullName } = await checkNames("node: ", [{ kind: "certname", text: name }], readRows);
  const found = fullName === undefined ? undefined : await nodeSummary(fullName, readRows, clock);
  if (found !== undefined) return found;
  throw new CensusError("not-found", `node: ${name} was removed meanwhile`);
}
