import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface VirtualRowsOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Height of a row, px. */
  readonly height: number;
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

/**
 * Which rows of a long list are rendered, and where. All rows have one height, so that nothing is measured or kept for each of
 * them.
 */
export function useVirtualRows({ scroller, count, height }: VirtualRowsOptions): {
  items: readonly VirtualRow[];
  /** Height of all rows, px. */
  total: number;
} {
  const [seen, setSeen] = useState(NONE);
  useLayoutEffect(() => {
    const { current: element } = scroller;
    if (element === null) return undefined;
    const look = (): void => {
      const { scrollTop, clientHeight } = element;
      const found = { first: Math.floor(scrollTop / height), last: Math.ceil((scrollTop + clientHeight) / height) - 1 };
      setSeen((before) => (before.first === found.first && before.last === found.last ? before : found));
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      resized.disconnect();
    };
  }, [height]);
  const first = Math.max(0, Math.min(seen.first, count) - OVERSCAN);
  const last = seen.last < 0 ? -1 : Math.min(count - 1, seen.last + OVERSCAN);
  const items = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => ({
    index: first + at,
    start: (first + at) * height,
  }));
  return { items, total: count * height };
}

/** Where a table was scrolled to, and which row was the active one. */
export interface Place {
  /** Of the rows: others begin at the top. */
  readonly key: string;
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
  readonly remember: (place: Place) => void;
  /** Keeps what was remembered at once, because the page is about to be left. */
  readonly flush: () => void;
}

/** Keeps the place of a table as long as the component is shown. */
export function usePlaceKeeper(table: string): PlaceKeeper {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const waiting = useRef<Place | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const flush = (): void => {
    clearTimeout(timer.current);
    if (waiting.current === undefined) return;
    const state = (history.state ?? {}) as State;
    history.replaceState({ ...state, places: { ...state.places, [table]: waiting.current } }, "");
    waiting.current = undefined;
  };
  const remember = (place: Place): void => {
    waiting.current = place;
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, REST_MS);
  };
  return { remember, flush };
}
