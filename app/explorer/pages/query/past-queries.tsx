import type { JSX } from "preact";
import { formatTime } from "../time/format.ts";
import { forgetQueries, type PastQuery, pastQueries, switchHistory } from "./history.ts";

/** Queries that were run in this browser, the newest first. */
export function PastQueries({ onOpen }: { readonly onOpen: (query: PastQuery) => void }): JSX.Element {
  const queries = pastQueries.value;
  return (
    <div class="past-queries">
      <p>
        <label>
          <input
            type="checkbox"
            checked={queries !== undefined}
            onChange={(event) => switchHistory(event.currentTarget.checked)}
          />{" "}
          Remember the last 100 queries in this browser
        </label>
        {queries === undefined || queries.length === 0 ? null : (
          <button type="button" class="plain" onClick={forgetQueries}>
            Forget all
          </button>
        )}
      </p>
      {queries === undefined || queries.length > 0 ? null : <p class="muted">No query was run yet.</p>}
      <ul>
        {queries?.map((query) => (
          <li key={`${query.lang} ${query.text}`}>
            <button type="button" class="query-item" onClick={() => onOpen(query)}>
              <code>{query.text.length > 300 ? `${query.text.slice(0, 300)}…` : query.text}</code>
              <span class="muted">
                {formatTime(new Date(query.at))} · {query.rows.toLocaleString()} rows · {query.ms.toLocaleString()} ms
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
