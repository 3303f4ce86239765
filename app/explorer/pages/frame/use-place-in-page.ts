import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * Says in the property `--above` of an element how far it is from the top of the page, px, so that it can fill the rest of the
 * window (`.fills-window`). What comes before it may change its height at any time.
 */
export function usePlaceInPage(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = element;
    const main = current?.closest("main");
    if (current === null || main === null || main === undefined) return undefined;
    let frame = 0;
    const measure = (): void => {
      const above = `${Math.round(current.getBoundingClientRect().top + scrollY)}px`;
      if (current.style.getPropertyValue("--above") !== above) current.style.setProperty("--above", above);
    };
    const measureLater = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    };
    measure();
    const resized = new ResizeObserver(measureLater);
    resized.observe(main);
    return () => {
      cancelAnimationFrame(frame);
      resized.disconnect();
    };
  }, []);
}

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
