import type { Maintenance } from "../../lifecycle/maintenance.ts";
import { operationNames } from "../../lifecycle/operation.ts";
import type { KeptFor } from "../../lifecycle/retention.ts";
import type { LoggedMaintenance } from "../entry.ts";

/** Durations are microseconds as texts, since JSON has no such numbers; null is no limit. */
type KeptTexts = Readonly<Record<keyof KeptFor, string | null>>;

/** Maintenance as the log has it: JSON. */
export function packedMaintenance({ asOf, change }: Pick<LoggedMaintenance, "asOf" | "change">): Buffer {
  const text = JSON.stringify({ asOf, change }, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return Buffer.from(text);
}

/** Undefined where this program does not know it. */
export function unpackedMaintenance(bytes: Buffer): Pick<LoggedMaintenance, "asOf" | "change"> | undefined {
  try {
    const { asOf, change } = JSON.parse(bytes.toString("utf8")) as { asOf: string; change: Maintenance };
    const known = changeOf(change);
    return known && { asOf: BigInt(asOf), change: known };
  } catch {
    return undefined;
  }
}

function changeOf(change: Maintenance): Maintenance | undefined {
  if (change.kind === "delete node" || change.kind === "compare") return change;
  const { kind, operations, purgeLimit } = change;
  if (kind !== "clean" || !operations.every((name) => operationNames.includes(name))) return undefined;
  const texts = change.kept as unknown as KeptTexts;
  const read = (name: keyof KeptFor): bigint => BigInt(texts[name] ?? "");
  const kept: KeptFor = {
    nodeTtl: read("nodeTtl"),
    nodePurgeTtl: read("nodePurgeTtl"),
    reportTtl: read("reportTtl"),
    resourceEventsTtl: texts.resourceEventsTtl === null ? null : read("resourceEventsTtl"),
    historyTtl: read("historyTtl"),
  };
  return { kind, operations, purgeLimit, kept };
}
