import type { NodeRow } from "../../nodes/columns.ts";
import type { PreparedCatalog, PreparedFacts, PreparedInputs, PreparedReport } from "../prepared.ts";

/** New data of a node that replace earlier data; of several in one batch the last is written. */
interface Replacement<T> {
  readonly node: NodeRow;
  readonly data: T;
  /** Whether earlier data are stored and must be deleted. */
  readonly replaces: boolean;
}

/** What one batch of commands changes, collected so that each table is touched once. */
export class Batch {
  /** The id of the next report. */
  nextReportId: bigint;
  readonly facts = new Map<number, Replacement<PreparedFacts>>();
  readonly catalogs = new Map<number, Replacement<PreparedCatalog>>();
  readonly inputs = new Map<number, Replacement<PreparedInputs>>();
  readonly reports: { readonly node: NodeRow; readonly id: bigint; readonly data: PreparedReport }[] = [];
  /** Fact sets and catalogs that are older than the stored ones of their nodes. */
  readonly late: { readonly node: NodeRow; readonly data: PreparedFacts | PreparedCatalog }[] = [];
  readonly environments = new Set<string>();
  readonly producers = new Set<string>();

  constructor(nextReportId: bigint) {
    this.nextReportId = nextReportId;
  }

  replace<T>(kind: Map<number, Replacement<T>>, node: NodeRow, data: T, isStored: boolean): void {
    const earlier = kind.get(node.id);
    kind.delete(node.id);
    kind.set(node.id, { node, data, replaces: earlier?.replaces ?? isStored });
  }

  addNames(environment: string | null, producer: string | null): void {
    if (environment !== null) this.environments.add(environment);
    if (producer !== null) this.producers.add(producer);
  }
}

/** Ids of the nodes whose earlier data must be deleted. */
export function replacedNodes(kind: ReadonlyMap<number, Replacement<unknown>>): number[] {
  return [...kind].filter(([, { replaces }]) => replaces).map(([id]) => id);
}
