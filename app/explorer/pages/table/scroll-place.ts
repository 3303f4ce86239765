import { useEffect, useRef } from "preact/hooks";

/** Where a table was scrolled to, and which row was the active one. */
export interface Place {
  readonly top: number;
  readonly row: number;
}

const REST_MS = 150;

interface State {
  readonly places?: Readonly<Record<string, Place>>;
}

/** The place that this step of the browser's history has for a table: after going back, and after a reload. */
export function storedPlace(table: string): Place | undefined {
  const state = history.state as State | null;
  return state?.places?.[table];
}

/** Remembers the place of a table in the present step of the browser's history, once it rests. */
export function useStoredPlace(table: string): (place: Place) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (place) => {
    clearTimeout(timer.current);
    const url = location.href;
    timer.current = setTimeout(() => {
      if (location.href !== url) return;
      const state = (history.state ?? {}) as State;
      history.replaceState({ ...state, places: { ...state.places, [table]: place } }, "");
    }, REST_MS);
  };
}
