import { useEffect, useState } from "preact/hooks";
import { refreshes } from "../data/refreshes.ts";
import { RequestError } from "../data/request-error.ts";
import { readBeans } from "./jolokia.ts";

/** Values of MBeans, or why they cannot be read. */
export interface BeanValues {
  readonly values: readonly unknown[] | undefined;
  readonly error: string | undefined;
}

/** Reads an attribute of MBeans, or all of their attributes. */
export function useBeans(names: readonly string[], attribute?: string): BeanValues {
  const [found, setFound] = useState<BeanValues>({ values: undefined, error: undefined });
  const key = names.join("\n");
  useEffect(() => {
    if (names.length === 0) return undefined;
    const controller = new AbortController();
    readBeans(names, attribute, controller.signal).then(
      (values) => setFound({ values, error: undefined }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setFound({ values: undefined, error: error instanceof RequestError ? error.message : "No connection." });
      },
    );
    return () => controller.abort();
  }, [key, attribute, refreshes.value]);
  return found;
}
