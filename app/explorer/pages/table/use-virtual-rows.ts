import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

export interface VirtualRowsOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Height of a row, px. */
  readonly height: number;
}

/** A row that is rendered. */
export interface VirtualRow {
  readonly index: number;
  /** Px from the top of all rows. */
  readonly start: number;
}

/** Rows outside of the visible part that are rendered as well, at each side. */
const OVERSCAN = 8;

/** From the first to the last row that is seen. */
interface Seen {
  readonly first: number;
  readonly last: number;
}

/** Which rows of a long list are rendered, and where. All rows have the same height. */
export function useVirtualRows({ scroller, count, height }: VirtualRowsOptions): {
  items: readonly VirtualRow[];
  /** Height of all rows, px. */
  total: number;
} {
  // Before the list is laid out, nobody knows how many rows are seen.
  const [{ first, last }, setSeen] = useState<Seen>({ first: 0, last: -1 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = (): void => {
      const seen = seenRows(element, height);
      setSeen((before) => (before.first === seen.first && before.last === seen.last ? before : seen));
    };
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", measure);
      resized.disconnect();
    };
  }, [height]);
  return {
    items: last < first ? [] : rowsBetween(first - OVERSCAN, last + OVERSCAN, { count, height }),
    total: count * height,
  };
}

function seenRows({ scrollTop, clientHeight }: HTMLElement, height: number): Seen {
  return { first: Math.floor(scrollTop / height), last: Math.ceil((scrollTop + clientHeight) / height) - 1 };
}

/** Only rows that exist: of a list that became shorter, the browser scrolls back after it was rendered. */
function rowsBetween(from: number, to: number, { count, height }: { count: number; height: number }): VirtualRow[] {
  const first = Math.max(0, Math.min(from, count));
  const length = Math.max(0, Math.min(to + 1, count) - first);
  return Array.from({ length }, (_, at) => ({ index: first + at, start: (first + at) * height }));
}
