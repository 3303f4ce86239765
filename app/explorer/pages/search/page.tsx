import type { JSX } from "preact";
import { wordsOf } from "#storage/search/words.ts";
import { href, useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import { useAnswer } from "../data/use-data.ts";
import { Page } from "../frame/page.tsx";
import { SearchField } from "../list/search-field.tsx";
import { visibleText } from "../value/text.ts";
import { KindPanel } from "./kind-panel.tsx";
import { kindKeys, kindTitles } from "./kinds.ts";
import { urlOf } from "../data/fetch-json.ts";
import { exportFormats } from "../export/export.ts";
import { PopupMenu } from "../frame/popup-menu.tsx";
import { Icon } from "../icons/icon.tsx";

/** What one file has of each kind at most. */
const MOST = 1000;

/** Saves what was found, as links that can be copied for curl. */
function ExportFound({ q, kinds }: { readonly q: string; readonly kinds: readonly string[] }): JSX.Element {
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

/** Findings of each kind, where all kinds are shown and where it is one. */
const FEW = 10;
const MANY = 1000;
/** Shorter words are in nearly everything. Characters. */
const SHORTEST = 2;

const codec = text();

/** Where does this text occur? In names, values, messages, logs: as `census search` finds it. */
export default function SearchPage(): JSX.Element {
  const [q, setQ] = useParameter("q", codec);
  const [only] = useParameter("kind", codec);
  const chosen = kindKeys.filter((kind) => kind === only);
  const wanted = chosen.length === 0 ? kindKeys : chosen;
  const words = wordsOf(q);
  const runs = words.some((word) => word.length >= SHORTEST);
  const results = kindKeys.map((kind) => {
    const parameters = { q, kind, limit: chosen.length === 0 ? FEW : MANY };
    const isWanted = runs && wanted.includes(kind);
    // The number of kinds never changes, so that the order of hooks does not either.
    // oxlint-disable-next-line react-hooks/rules-of-hooks
    const loaded = useAnswer("search", isWanted ? { name: kindTitles[kind], parameters } : undefined);
    return { kind, isWanted, loaded };
  });
  const shown = results.filter(({ isWanted }) => isWanted);
  const total = shown.reduce((sum, { loaded }) => sum + (loaded.value?.total ?? 0), 0);
  const isLoading = shown.some(({ loaded }) => loaded.isLoading);
  return (
    <Page
      title="Search"
      tabTitle={q === "" ? "Search" : `${visibleText(q)} · Search`}
      before={chosen.length === 0 ? undefined : <a href={href("search", [], { q })}>‹ All kinds</a>}
      beside={
        <span class="muted" role="status">
          {!runs || isLoading ? "" : `${total.toLocaleString()} found`}
        </span>
      }
      actions={runs ? <ExportFound q={q} kinds={chosen} /> : undefined}
    >
      <p>
        <SearchField
          label="Words that all occur; several in quotes are one"
          value={q}
          onChange={(value) => setQ(value, { push: false })}
          isFilter
        />
      </p>
      {runs ? null : (
        <p class="muted">
          Type a word of at least {SHORTEST} characters: a part of a name, a value, a message. Names of nodes, classes,
          resources and packages, facts, parameters, messages of events and the logs of the latest runs are searched,
          reports by the beginning of their hash (six digits at least) or their configuration version.
        </p>
      )}
      {runs && !isLoading && total === 0 && shown.every(({ loaded }) => loaded.error === undefined) ? (
        <p>Nothing has {words.length === 1 ? "this word" : "all these words"}.</p>
      ) : null}
      {shown.map(({ kind, loaded }) => (
        <KindPanel key={kind} kind={kind} loaded={loaded} words={words} text={q} />
      ))}
    </Page>
  );
}
