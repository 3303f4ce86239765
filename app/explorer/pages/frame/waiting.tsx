import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Loaded } from "../data/use-data.ts";
import { workbenchHref } from "../pql/workbench-link.ts";

/** Nothing for 150 ms, then a placeholder; after 2 s the time and a way to stop. */
export function Loading({ loaded, height }: { loaded: Loaded<unknown>; height: number }): JSX.Element {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const started = performance.now();
    const timer = setInterval(() => setSeconds((performance.now() - started) / 1000), 500);
    return () => clearInterval(timer);
  }, [loaded.isLoading]);
  return (
    <div class="loading" style={{ minHeight: `${height}px` }}>
      <div class="skeleton" aria-hidden="true" />
      {seconds < 2 ? null : (
        <p role="status">
          Loading for {Math.floor(seconds)} s.{" "}
          <button type="button" onClick={loaded.cancel}>
            Cancel
          </button>
        </p>
      )}
    </div>
  );
}

/** Why something cannot be shown: the server's message, and what the user can do. */
export function Problem({ loaded }: { loaded: Loaded<unknown> }): JSX.Element | null {
  const { error, pql, reload } = loaded;
  if (error === undefined) return null;
  return (
    <div class="problem" role="alert">
      <p>{headline(error.status)}</p>
      <pre>{error.message}</pre>
      <p class="problem-actions">
        <button type="button" onClick={reload}>
          Try again
        </button>
        {pql === undefined ? null : <a href={workbenchHref(pql)}>Open the query in the workbench</a>}
      </p>
    </div>
  );
}

function headline(status: number): string {
  if (status === 0) return "The server did not answer.";
  if (status === 403) return "The access rules deny this. The log of the server says which rule.";
  if (status === 404) return "Not found.";
  if (status === 503 || status === 504)
    return "The server is busy, or the query took too long. Narrow it, or try again.";
  return status >= 500 ? "The server failed." : "The server refused the query.";
}
