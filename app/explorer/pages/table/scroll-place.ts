import { useEffect, useRef } from "preact/hooks";

/** Where a table was scrolled to, and which row was the active one. */
export interface Place {
  /** Of the rows: others begin at the top. */
  readonly key: string;
  readonly top: number;
  readonly row: number;
}

const REST_MS = 150;

interface State {
  readonly places?: Readonly<Record<string, Place>>;
}

/** The place that this step of the browser's history has for the rows of a table: after going back, and after a reload. */
export function storedPlace(table: string, key: string): Place | undefined {
  const state = history.state as State | null;
  const place = state?.places?.[table];
  return place?.key === key ? place : undefined;
}

/** Keeps the place of a table in the present step of the browser's history. */
export interface PlaceKeeper {
  /** Keeps it once scrolling rests: browsers allow few changes in a second. */
  readonly remember: (place: Place) => void;
  /** Keeps what was remembered at once, because the page is about to be left. */
  readonly flush: () => void;
}

/** Keeps the place of a table as long as the component is shown. */
export function usePlaceKeeper(table: string): PlaceKeeper {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const waiting = useRef<Place | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const flush = (): void => {
    clearTimeout(timer.current);
    if (waiting.current === undefined) return;
    const state = (history.state ?? {}) as State;
    history.replaceState({ ...state, places: { ...state.places, [table]: waiting.current } }, "");
    waiting.current = undefined;
  };
  const remember = (place: Place): void => {
    waiting.current = place;
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, REST_MS);
  };
  return { remember, flush };
}
