import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { checkNow } from "../data/about.ts";
import { online } from "../data/online.ts";

/**
 * Shown instead of a page whose program could not be loaded. Browsers remember a module that failed, so the page is
 * loaded again as a whole once the server is back.
 */
export function NotLoaded(): JSX.Element {
  const isOnline = online.value;
  const wasAway = useRef(false);
  useEffect(() => void checkNow(), []);
  useEffect(() => {
    if (isOnline && wasAway.current) location.reload();
    wasAway.current = !isOnline;
  }, [isOnline]);
  return (
    <div class="problem" role="alert">
      <p>This page could not be loaded. The server may be away, or was updated meanwhile.</p>
      <p class="problem-actions">
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </p>
    </div>
  );
}
