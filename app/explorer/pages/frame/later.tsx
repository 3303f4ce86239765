import { type ReadonlySignal, signal } from "@preact/signals";
import { type ComponentChildren, type ComponentType, createElement, type JSX } from "preact";
import { useEffect, useReducer } from "preact/hooks";

/** Loads a module whose default export is a component. */
export type LoadComponent<Props> = () => Promise<{ readonly default: ComponentType<Props> }>;

/** A component whose module is loaded when it is rendered first, or before. */
export interface LaterComponent<Props> {
  (props: Props): JSX.Element;
  /** Loads the module; rendered after that, the component is complete at once. */
  readonly preload: () => Promise<void>;
  /** Whether an attempt to load it has ended. If it failed, rendering the component makes another. */
  readonly isTried: ReadonlySignal<boolean>;
}

/**
 * A component whose module the first view does not need.
 * @param waiting shown until it is loaded; default: nothing
 */
export function later<Props extends object>(
  load: LoadComponent<Props>,
  waiting: ComponentChildren = null,
): LaterComponent<Props> {
  const isTried = signal(false);
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<void> | undefined;
  const loadOnce = async (): Promise<void> => {
    loading ??= load().then(
      (module) => {
        loaded = module.default;
      },
      () => {
        // Another attempt may succeed: the server may have been away.
        loading = undefined;
      },
    );
    await loading;
    isTried.value = true;
  };
  const Later = (props: Props): JSX.Element => {
    const [attempts, redraw] = useReducer<number, undefined>((before) => before + 1, 0);
    useEffect(() => {
      if (loaded === undefined) void loadOnce().then(() => redraw(undefined));
    }, []);
    if (loaded !== undefined) return createElement(loaded, props);
    return attempts === 0 ? <>{waiting}</> : <NotLoaded />;
  };
  return Object.assign(Later, { preload: loadOnce, isTried });
}

/** Shown instead of a part of the program that could not be loaded. */
export function NotLoaded(): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p>This part could not be loaded. The server may be away, or was updated meanwhile.</p>
      <p class="problem-actions">
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </p>
    </div>
  );
}
