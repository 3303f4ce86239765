import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  type VirtualItem,
  Virtualizer,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

export interface VirtualRowsOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly count: number;
  /** Height of a row, px. */
  readonly height: number;
}

/** Rows outside of the visible part that are rendered as well, at each side. */
const OVERSCAN = 8;

/** Which rows of a long list are rendered, and where. */
export function useVirtualRows({ scroller, count, height }: VirtualRowsOptions): {
  items: readonly VirtualItem[];
  /** Height of all rows, px. */
  total: number;
} {
  const [, redraw] = useReducer<number, undefined>((before) => before + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return { items: virtualizer.getVirtualItems(), total: virtualizer.getTotalSize() };
}
