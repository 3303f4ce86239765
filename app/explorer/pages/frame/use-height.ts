import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * Says in a property how high an element is, px: its parts wrap, and texts may be enlarged. The property `--height` is the element's
 * own, the others are the document's.
 */
export function useHeightProperty(
  element: RefObject<HTMLElement | null>,
  name: "--header" | "--band" | "--height" = "--height",
): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const { style } = name === "--height" ? current : document.documentElement;
    const resized = new ResizeObserver(() => style.setProperty(name, `${current.offsetHeight}px`));
    resized.observe(current);
    return () => resized.disconnect();
  }, []);
}
