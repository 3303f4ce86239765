import type { JSX } from "preact";
import { urlOf } from "../data/fetch-json.ts";
import { exportFormats } from "../export/export.ts";
import { PopupMenu } from "../frame/popup-menu.tsx";
import { Icon } from "../icons/icon.tsx";

/** What one file has of each kind at most. */
const MOST = 1000;

/** Saves what was found, as links that can be copied for curl. */
export function ExportFound({ q, kinds }: { readonly q: string; readonly kinds: readonly string[] }): JSX.Element {
  return (
    <span class="export-menu">
      <PopupMenu
        label="Export"
        button={
          <>
            <Icon name="export" /> Export
          </>
        }
        buttonProps={{ "data-export": true }}
      >
        {(close) => (
          <div role="group" aria-label="What was found">
            {exportFormats.map(({ format, label }) =>
              // Its writer needs a query.
              format === "parquet" ? null : (
                <a
                  key={format}
                  role="menuitem"
                  href={urlOf({
                    path: "/explorer/api/v1/search/rows",
                    parameters: { q, kind: kinds, limit: MOST, format },
                  })}
                  download="search"
                  onClick={() => setTimeout(close)}
                >
                  {label}
                </a>
              ),
            )}
          </div>
        )}
      </PopupMenu>
    </span>
  );
}
