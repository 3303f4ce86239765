import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isFileFormat } from "#storage/output/format-names.ts";
import { opening } from "../data/about.ts";
import { announce } from "../frame/page.tsx";
import { PopupMenu } from "../frame/popup-menu.tsx";
import { Icon } from "../icons/icon.tsx";
import { copyText } from "../pql/copies.ts";
import { type Exported, type ExportFormat, exportFormats, exportUrl, isLinkable, namesOf, saveRows } from "./export.ts";
import { counted } from "../value/text.ts";

export interface ExportMenuProps extends Exported {
  /** Other queries that can be exported as well. */
  readonly more?: readonly Exported[];
  /** The key `x` opens it; default: yes. */
  readonly isMain?: boolean;
}

/** Exports all rows of a query: links, so that they can be copied for curl. A query that is too long for a link is posted. */
export function ExportMenu({ more = [], isMain = true, ...first }: ExportMenuProps): JSX.Element {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const save = async (exported: Exported, format: ExportFormat): Promise<void> => {
    setProblem(undefined);
    try {
      await saveRows({ ...exported, format });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const copyNames = async (exported: Exported): Promise<void> => {
    setProblem(undefined);
    try {
      const names = await namesOf(exported);
      const count = names === "" ? 0 : names.split("\n").length;
      announce((await copyText(names)) ? `${counted(count, "name")} copied` : "The browser does not allow copying");
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const copy = async (exported: Exported): Promise<void> => {
    const url = new URL(exportUrl({ ...exported, format: "json" }), location.origin).href;
    announce((await copyText(url)) ? "Link copied" : "The browser does not allow copying");
  };
  return (
    <span class="export-menu">
      <PopupMenu
        label="Export"
        button={
          <>
            <Icon name="export" /> Export
          </>
        }
        buttonProps={{ ...(isMain ? { "data-export": true } : {}), ...untilRead() }}
      >
        {(close) =>
          [first, ...more].map((exported) => (
            <div key={exported.name} role="group" aria-label={exported.label ?? exported.name}>
              {exported.label === undefined ? null : <div class="popup-note">{exported.label}</div>}
              {formatsOf(exported).map(({ format, label }) =>
                isLinkable({ ...exported, format }) ? (
                  <a
                    key={format}
                    role="menuitem"
                    href={exportUrl({ ...exported, format })}
                    // The router leaves links with a name to the browser, which uses the file name in the server's response.
                    download={exported.name}
                    // The browser follows a link only as long as it is in the page.
                    onClick={() => setTimeout(close)}
                  >
                    {label}
                  </a>
                ) : (
                  <button
                    key={format}
                    type="button"
                    role="menuitem"
                    onClick={() => {
                      close();
                      void save(exported, format);
                    }}
                  >
                    {label}
                  </button>
                ),
              )}
              {exported.hasNames === true ? (
                <button
                  type="button"
                  role="menuitem"
                  onClick={() => {
                    close();
                    void copyNames(exported);
                  }}
                >
                  Copy names
                </button>
              ) : null}
              {isLinkable({ ...exported, format: "json" }) ? (
                <button
                  type="button"
                  role="menuitem"
                  onClick={() => {
                    close();
                    void copy(exported);
                  }}
                >
                  Copy link to JSON
                </button>
              ) : null}
            </div>
          ))
        }
      </PopupMenu>
      {problem === undefined ? null : (
        <span class="export-problem" role="alert">
          Not exported: {problem}
        </span>
      )}
    </span>
  );
}

/** What is exported is complete. */
function untilRead(): { readonly disabled?: boolean; readonly title?: string } {
  return opening.value === undefined ? {} : { disabled: true, title: "Once the archive has been read" };
}

/** Files are written of queries only. */
function formatsOf({ isSql = false }: Exported): readonly (typeof exportFormats)[number][] {
  return exportFormats.filter(({ format }) => !isSql || !isFileFormat(format));
}
