import { useEffect } from "preact/hooks";
import { type Loaded, type NamedRequest, useData } from "../data/use-data.ts";

/** `useData`, fetched again every few seconds while the page is seen. */
export function usePolled<T>(request: NamedRequest, everyMs: number): Loaded<T> {
  const loaded = useData<T>(request);
  const { reload } = loaded;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return loaded;
}
