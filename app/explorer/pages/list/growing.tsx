import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { signal } from "@preact/signals";

/** Whether everything is shown that is otherwise shown on demand: the ends of lists and texts, closed parts. */
export const isWhole = signal(false);

/** The beginning of a long list. */
export interface Growing<T> {
  readonly shown: readonly T[];
  /** A button that shows more, and does so by itself when it comes into sight; nothing when all are shown. */
  readonly more: JSX.Element | null;
  /** Shows at least the item at a place. */
  readonly reach: (index: number) => void;
}

/** Shows a long list in steps, so that the page appears at once. @param noun plural: "lines" */
export function useGrowing<T>(all: readonly T[], { step = 200, noun }: { step?: number; noun: string }): Growing<T> {
  const [count, setCount] = useState(step);
  const sentinel = useRef<HTMLButtonElement>(null);
  const isAll = count >= all.length || isWhole.value;
  const grow = (): void => setCount((before) => before + step);
  useEffect(() => {
    const element = sentinel.current;
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) grow();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [isAll, count]);
  return {
    shown: isAll ? all : all.slice(0, count),
    more: isAll ? null : (
      <button ref={sentinel} type="button" class="plain" onClick={grow}>
        Show more of the {all.length.toLocaleString()} {noun}
      </button>
    ),
    reach: (index) => setCount((before) => Math.max(before, index + 1)),
  };
}

/** The first of a list, and a button that shows all of it, or few again. @param noun plural: "values" */
export function useFew<T>(
  all: readonly T[],
  few: number,
  noun: string,
): { readonly shown: readonly T[]; readonly more: JSX.Element | null } {
  const [isLong, setIsLong] = useState(false);
  return {
    shown: isLong || isWhole.value ? all : all.slice(0, few),
    more:
      all.length <= few ? null : (
        <button type="button" class="plain" onClick={() => setIsLong(!isLong)}>
          {isLong ? "Show fewer" : `Show ${all.length.toLocaleString()} ${noun}`}
        </button>
      ),
  };
}
