import { type EdgeChange, edgeText, type ResourceChange, resourcePlaceText, resourceText } from "./catalog.ts";
import type { JsonObject } from "../json.ts";
import { packageText } from "./packages.ts";
import type { DiffPart } from "./parts.ts";
import { type EventChange, eventText, logText, type ReportChanges } from "./report.ts";
import { pathText, type ValueChange } from "./values.ts";
import type { Verdict, Visibility } from "./visibility.ts";

/** The differences of a node that are to be shown. */
export interface ContentChanges {
  /** Its state; whether it has facts, a catalog, a report; their metadata. */
  readonly summary: readonly ValueChange[];
  /** Paths begin with the fact's name. */
  readonly facts: readonly ValueChange[];
  /** Paths are provider and name of the package. */
  readonly packages: readonly ValueChange[];
  readonly resources: readonly ResourceChange[];
  readonly edges: readonly EdgeChange[];
  /** null if reports are not compared in full, or one is missing */
  readonly report: ReportChanges | null;
  /** The number of differences that are omitted because they always differ. */
  readonly volatile: number;
}

/** A node that only one side has, or that differs. */
export type NodeChange =
  | { readonly kind: "added"; readonly certname: string; readonly to: JsonObject }
  | { readonly kind: "removed"; readonly certname: string; readonly from: JsonObject }
  | ({ readonly kind: "changed"; readonly certname: string; readonly to_certname: string } & ContentChanges);

/** The compared nodes and their differences: undefined if nothing is to be shown. */
export interface Compared {
  readonly change: NodeChange | undefined;
  readonly volatile: number;
}

/** Removes differences that are not to be shown, and counts those that were omitted because they always differ. */
export class Sieve {
  readonly #visibility: Visibility;
  #volatile = 0;

  constructor(visibility: Visibility) {
    this.#visibility = visibility;
  }

  get volatile(): number {
    return this.#volatile;
  }

  values(part: DiffPart, changes: readonly ValueChange[]): ValueChange[] {
    return this.#visible(part, changes, ({ path }) => pathText(path));
  }

  packages(changes: readonly ValueChange[]): ValueChange[] {
    return this.#visible("packages", changes, packageText);
  }

  resources(changes: readonly ResourceChange[]): ResourceChange[] {
    return changes.flatMap((change): ResourceChange[] => {
      if (change.kind !== "changed") return this.#visible("resources", [change], resourceText);
      const shown = this.#visible("resources", change.changes, (place) => resourcePlaceText(change, place));
      return shown.length === 0 ? [] : [{ ...change, changes: shown }];
    });
  }

  edges(changes: readonly EdgeChange[]): EdgeChange[] {
    return this.#visible("edges", changes, ({ edge }) => edgeText(edge));
  }

  report({ head, events, metrics, logs }: ReportChanges): ReportChanges {
    return {
      head: this.values("reports", head),
      events: events.flatMap((change) => this.#event(change)),
      metrics: this.#visible("reports", metrics, ({ path }) => pathText(["metrics", ...path])),
      logs: this.#visible("reports", logs, ({ log }) => `logs.${logText(log)}`),
    };
  }

  #event(change: EventChange): EventChange[] {
    if (change.kind !== "changed") return this.#visible("reports", [change], (event) => eventText(event));
    const shown = this.#visible("reports", change.changes, ({ path }) => `${eventText(change)}.${pathText(path)}`);
    return shown.length === 0 ? [] : [{ ...change, changes: shown }];
  }

  #visible<T>(part: DiffPart, changes: readonly T[], placeOf: (change: T) => string): T[] {
    return changes.filter((change) => {
      const verdict: Verdict = this.#visibility(part, placeOf(change));
      if (verdict === "volatile") this.#volatile++;
      return verdict === "shown";
    });
  }
}

/** Whether no difference of two reports remains. */
export function isEmptyReport({ head, events, metrics, logs }: ReportChanges): boolean {
  return head.length + events.length + metrics.length + logs.length === 0;
}
