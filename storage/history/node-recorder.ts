import type { Transaction } from "../engine/transaction.ts";
import { append } from "../ingest/write/append.ts";
import type { NodeRow } from "../nodes/columns.ts";
import type { Timestamp } from "../time.ts";

/** What is recorded of a node besides its content, by its name in the entity `catalog_changes`. */
export const nodeValueNames = [
  "catalog",
  "environment",
  "producer",
  "code_id",
  "facts",
  "facts_environment",
  "facts_producer",
  "state",
] as const;

export type NodeValues = Readonly<Record<(typeof nodeValueNames)[number], string | null>>;

/** A change of one of the values of a node. */
interface ValueChange {
  readonly node: number;
  readonly what: keyof NodeValues;
  readonly before: string | null;
  readonly after: string | null;
  readonly at: Timestamp;
  readonly transaction: string | null;
}

/** The values of a catalog or of a fact set, which begin with its hash. */
export const ofCatalog = ["environment", "producer", "code_id"] as const;
export const ofFacts = ["facts_environment", "facts_producer"] as const;

export function valuesOf(node: NodeRow): NodeValues {
  return {
    catalog: node.catalog_hash,
    environment: node.catalog_environment,
    producer: node.catalog_producer,
    code_id: node.catalog_code_id,
    facts: node.facts_hash,
    facts_environment: node.facts_environment,
    facts_producer: node.facts_producer,
    state: node.deactivated !== null ? "deactivated" : node.expired !== null ? "expired" : "active",
  };
}

/** Records changes of nodes besides their facts and resources. */
export class NodeRecorder {
  #changes: ValueChange[] = [];

  /** Forgets what is not written. */
  clear(): void {
    this.#changes = [];
  }

  /**
   * Notes what has changed of a node since `before`. The first fact set and the first catalog are noted as such, without their
   * values; of later fact sets no hash is noted, because nearly every one has another.
   */
  note(node: NodeRow, before: NodeValues, at: Timestamp): void {
    const after = valuesOf(node);
    const changed: (keyof NodeValues)[] = [];
    if (after.catalog !== before.catalog) changed.push("catalog");
    if (before.catalog !== null) changed.push(...ofCatalog.filter((what) => after[what] !== before[what]));
    if (before.facts === null && after.facts !== null) changed.push("facts");
    if (before.facts !== null) changed.push(...ofFacts.filter((what) => after[what] !== before[what]));
    if (after.state !== before.state) changed.push("state");
    for (const what of changed) {
      const isOfCatalog = what === "catalog" || ofCatalog.some((name) => name === what);
      const transaction = isOfCatalog ? node.catalog_transaction_uuid : null;
      this.#changes.push({ node: node.id, what, before: before[what], after: after[what], at, transaction });
    }
  }

  /** Appends the changes that were noted. */
  async write(tx: Transaction): Promise<void> {
    const changes = this.#changes;
    this.#changes = [];
    await append(tx, "history_nodes", changes, ({ node, what, before, after, at, transaction }) => [
      node,
      what,
      before,
      after,
      at,
      transaction,
    ]);
  }
}
