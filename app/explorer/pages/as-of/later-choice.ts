import { useEffect } from "preact/hooks";
import { about } from "../data/about.ts";
import { later } from "../frame/later.tsx";

/** The dialog that chooses the time. */
export const TimeChoice = later(() => import("./choice.tsx"));

/**
 * Whether what opens the dialog is shown: where changes are recorded, and once the dialog is loaded. A time is often typed
 * right after the key that opens it, and must not be lost.
 */
export function useTimeChoice(): boolean {
  const isRecorded = about.value?.history != null;
  useEffect(() => {
    if (isRecorded) void TimeChoice.preload();
  }, [isRecorded]);
  return isRecorded && TimeChoice.isTried.value;
}
