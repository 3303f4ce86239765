import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface VirtualRowsOptions {
  /** The table: its head, then its rows. */
  readonly grid: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Height of a row, px. */
  readonly height: number;
  /** Whether all are rendered, seen or not. */
  readonly isAll: boolean;
}

/** A row that is rendered. */
export interface VirtualRow {
  readonly index: number;
  /** Distance from the first row, px. */
  readonly start: number;
}

/** The rows that are seen. */
interface Seen {
  readonly first: number;
  readonly last: number;
}

const NONE: Seen = { first: 0, last: -1 };

/** Rows outside of the visible part that are rendered as well, at each side. */
const OVERSCAN = 8;

/** Where the head of a table ends when it sticks to the top of the window, px from there. */
export function headEnd(grid: HTMLElement): number {
  const head = grid.firstElementChild as HTMLElement | null;
  return head === null ? 0 : Number.parseFloat(getComputedStyle(head).top) + head.offsetHeight;
}

/** How much of a table's rows has been scrolled away below its head, px; negative: its first row is farther down. */
export function hiddenOf(grid: HTMLElement): number {
  return headEnd(grid) - (grid.children[1]?.getBoundingClientRect().top ?? 0);
}

/**
 * Which rows of a long list are rendered, and where: those in the window. All rows have one height, so that nothing is
 * measured or kept for each of them.
 */
export function useVirtualRows({ grid, count, height, isAll }: VirtualRowsOptions): {
  items: readonly VirtualRow[];
  /** Height of all rows, px. */
  total: number;
} {
  const [seen, setSeen] = useState(NONE);
  useLayoutEffect(() => {
    const { current: element } = grid;
    if (element === null) return undefined;
    const look = (): void => {
      const hidden = hiddenOf(element);
      const found = {
        first: Math.max(0, Math.floor(hidden / height)),
        last: Math.ceil((hidden + innerHeight - headEnd(element)) / height) - 1,
      };
      setSeen((before) => (before.first === found.first && before.last === found.last ? before : found));
    };
    look();
    addEventListener("scroll", look, { passive: true });
    addEventListener("resize", look);
    // What comes before the table may change its height at any time.
    const resized = new ResizeObserver(look);
    resized.observe(element.closest(".page") ?? element);
    return () => {
      removeEventListener("scroll", look);
      removeEventListener("resize", look);
      resized.disconnect();
    };
  }, [height]);
  const first = isAll ? 0 : Math.max(0, Math.min(seen.first, count) - OVERSCAN);
  const last = isAll ? count - 1 : Math.min(count - 1, seen.last + OVERSCAN);
  const items = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ({
    index: first + at,
    start: (first + at) * height,
  }));
  return { items, total: count * height };
}

/** Where the rows of a table were scrolled to, and which row was the active one. */
export interface Place {
  /** Of the rows: others begin at the top. */
  readonly key: string;
  /** px of the rows that are above. */
  readonly top: number;
  readonly row: number;
}

const REST_MS = 150;

interface State {
  readonly places?: Readonly<Record<string, Place>>;
}

/** The place that this step of the browser's history has for the rows of a table: after going back, and after a reload. */
export function storedPlace(table: string, key: string): Place | undefined {
  const state = history.state as State | null;
  const place = state?.places?.[table];
  return place?.key === key ? place : undefined;
}

/** Keeps the place of a table in the present step of the browser's history. */
export interface PlaceKeeper {
  /** Keeps it once scrolling rests: browsers allow few changes in a second. */
  readonly remember: () => void;
  /** Keeps it at once, because the page is about to be left. */
  readonly flush: () => void;
}

/** Keeps the place of a table as long as the component is shown. @param placeOf the present one; undefined before there are rows */
export function usePlaceKeeper(table: string, placeOf: () => Place | undefined): PlaceKeeper {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const present = useRef(placeOf);
  present.current = placeOf;
  const flush = (): void => {
    clearTimeout(timer.current);
    const place = present.current();
    if (place === undefined) return;
    const state = (history.state ?? {}) as State;
    history.replaceState({ ...state, places: { ...state.places, [table]: place } }, "");
  };
  const remember = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, REST_MS);
  };
  useEffect(() => {
    addEventListener("scroll", remember, { passive: true });
    return () => {
      removeEventListener("scroll", remember);
      clearTimeout(timer.current);
    };
  }, []);
  return { remember, flush };
}
