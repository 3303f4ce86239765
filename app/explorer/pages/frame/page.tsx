import type { ComponentChildren, JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { signal } from "@preact/signals";

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

const text = signal("");

/** Reads a sentence to screen readers, without moving the focus. */
export function announce(sentence: string): void {
  text.value = sentence;
}

/** Where announcements are read from. */
export function Announcements(): JSX.Element {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {text.value}
    </div>
  );
}

export interface PageProps {
  /** The heading. */
  readonly title: string;
  /** For the browser's tab, where it says more than the heading: "web-01 · Facts". */
  readonly tabTitle?: string | undefined;
  /** Before the heading: a link back. */
  readonly before?: ComponentChildren;
  /** Beside the heading: a state, badges. */
  readonly beside?: ComponentChildren;
  /** At the right: buttons. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

let isFirst = true;

/** The content of a page: its heading gets the focus after navigation, and is read to screen readers. */
export function Page({ title, tabTitle = title, before, beside, actions, children }: PageProps): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${tabTitle} · Census`;
  }, [tabTitle]);
  useEffect(() => {
    if (!isFirst) {
      heading.current?.focus({ preventScroll: true });
      announce(`${title}, page loaded`);
    }
    isFirst = false;
  }, []);
  return (
    <article class="page">
      <header class="page-head">
        {before === undefined ? null : <div class="page-before">{before}</div>}
        <h1 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h1>
        {beside === undefined ? null : <div class="page-beside">{beside}</div>}
        {actions === undefined ? null : <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </article>
  );
}
