import { type ResourceRef, refText } from "../value/text.ts";
import type { CatalogEdge } from "./rows.ts";

/** A resource that was skipped, and the one that it directly waited for. */
export interface SkippedResource {
  readonly resource: ResourceRef;
  readonly after: ResourceRef;
}

/**
 * Which of the skipped resources were skipped because of each failed one. A resource waits for what its edges name, for what the
 * containers around it wait for, and for everything inside of a container that it waits for.
 */
export class SkipChains {
  readonly #skipped: ReadonlyMap<string, ResourceRef>;
  readonly #next: ReadonlyMap<string, readonly string[]>;

  constructor(skipped: readonly ResourceRef[], edges: readonly CatalogEdge[]) {
    this.#skipped = new Map(skipped.map((resource) => [refText(resource), resource]));
    this.#next = successors(edges);
  }

  /** The resources that waited for any of these, nearest first. Its cost is that of the catalog, however many failed. */
  from(failed: readonly ResourceRef[]): readonly SkippedResource[] {
    const found: SkippedResource[] = [];
    const queue = failed.map((cause) => ({ moment: after(refText(cause)), cause }));
    const seen = new Set(queue.map(({ moment }) => moment));
    for (const { moment, cause } of queue) {
      const ref = moment.slice(1);
      const own = moment.startsWith("<") ? this.#skipped.get(ref) : undefined;
      if (own !== undefined) found.push({ resource: own, after: cause });
      const then = [...(this.#next.get(moment) ?? []), ...(moment.startsWith("<") ? [after(ref)] : [])];
      for (const one of then) {
        if (seen.has(one)) continue;
        seen.add(one);
        queue.push({ moment: one, cause: own ?? cause });
      }
    }
    return found;
  }
}

/** The moments before and after a resource; a container lasts while its content is applied. */
const before = (ref: string): string => `<${ref}`;
const after = (ref: string): string => `>${ref}`;

function successors(edges: readonly CatalogEdge[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  const add = (from: string, to: string): void => {
    const known = next.get(from);
    if (known === undefined) next.set(from, [to]);
    else known.push(to);
  };
  for (const edge of edges) {
    const source = refText({ type: edge.source_type, title: edge.source_title });
    const target = refText({ type: edge.target_type, title: edge.target_title });
    if (edge.relationship === "contains") {
      add(before(source), before(target));
      add(after(target), after(source));
    } else {
      add(after(source), before(target));
    }
  }
  return next;
}
