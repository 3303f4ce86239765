import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Says in a property of the document how high an element is, px: its parts wrap, and texts may be enlarged. */
export function useHeightProperty(element: RefObject<HTMLElement | null>, name: "--header" | "--band"): void {
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const { style } = document.documentElement;
    const resized = new ResizeObserver(() => style.setProperty(name, `${current.offsetHeight}px`));
    resized.observe(current);
    return () => resized.disconnect();
  }, []);
}
