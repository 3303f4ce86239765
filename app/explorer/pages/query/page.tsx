import type { ComponentType, JSX } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { about } from "../data/about.ts";
import { refreshes } from "../data/refreshes.ts";
import type { EditorHandle, EditorProps } from "../editor/editor.tsx";
import type { QueryProblem } from "../editor/problems.ts";
import { announce, Page } from "../frame/page.tsx";
import { useShownQuery } from "../pql/shown-queries.ts";
import { astOf, formatPql, prettyAst } from "./format.ts";
import { ResultPanel } from "./result.tsx";
import { cancel, cancelAll, forget, requestOf, runs, start } from "./runs.ts";
import { type Side, SidePanel } from "./side.tsx";
import { activeTab, changed, closed, opened, type Tab, type Tabs, tabText, titleOf, type View } from "./tabs.ts";
import { addressOf, putIntoAddress, tabs, takeFromAddress } from "./workbench.ts";
import { PopupMenu } from "../frame/popup-menu.tsx";
import type { QueryLanguage } from "../editor/query-language.ts";
import { asCensus, asCensusSql, asCurl, asPuppet, copyText } from "../pql/copies.ts";
import { Icon } from "../icons/icon.tsx";

/** How long after the last key the address follows, ms. */
const ADDRESS_MS = 300;

export default function QueryPage(): JSX.Element {
  const { url } = useLocation();
  const [side, setSide] = useState<Side>("examples");
  const [problems, setProblems] = useState<readonly QueryProblem[]>([]);
  const editor = useRef<EditorHandle | undefined>(undefined);
  const tab = activeTab(tabs.value);
  const text = tabText(tab);
  const run = runs.value.get(tab.id);
  const refreshed = refreshes.value;

  useEffect(() => {
    const content = takeFromAddress("link");
    const shown = activeTab(tabs.peek());
    const known = runs.peek().get(shown.id)?.query;
    if (content !== undefined && (known?.text !== content.text || known.lang !== content.lang)) runTab(shown);
    else if (content === undefined) putIntoAddress({ settle: true });
  }, [url]);
  useEffect(() => {
    const onHistory = (): void => {
      if (takeFromAddress("history") !== undefined) runTab(activeTab(tabs.peek()));
    };
    addEventListener("popstate", onHistory);
    return () => {
      removeEventListener("popstate", onHistory);
      cancelAll();
    };
  }, []);
  const firstRefresh = useRef(refreshed);
  useEffect(() => {
    if (refreshed !== firstRefresh.current) runTab(activeTab(tabs.peek()));
  }, [refreshed]);
  useEffect(() => {
    const timer = setTimeout(() => putIntoAddress(), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [text, tab.lang]);
  useShownQuery(
    run === undefined || run.query.lang !== "pql"
      ? undefined
      : {
          name: "Result",
          pql: run.query.text,
          adds: undefined,
          path: "/pdb/query/v4",
          parameters: requestOf(run.query).parameters ?? {},
          ms: run.result?.ms,
          rows: run.result?.rows.length,
        },
  );

  const change = (content: Partial<Omit<Tab, "id">>): void => {
    tabs.value = changed(tabs.peek(), content);
  };
  const runNow = (): void => {
    if (text.trim() === "") return;
    change({ sort: "" });
    putIntoAddress({ settle: true });
    runTab(activeTab(tabs.peek()));
  };
  const open = (query: { lang: Tab["lang"]; text: string }): void => {
    const content = { ...query, view: tab.view, sort: "" };
    tabs.value =
      text.trim() === ""
        ? changed(tabs.peek(), { ...content, [query.lang]: query.text })
        : opened(tabs.peek(), content);
    putIntoAddress({ settle: true });
    runTab(activeTab(tabs.peek()));
  };
  const [problem] = problems;
  const isRefused = run?.error?.status === 400 && run.query.text === text;
  return (
    <Page
      title="Query"
      actions={
        <>
          <ShareMenu lang={tab.lang} query={text} url={`${location.origin}${addressOf(tab)}`} />
          <button
            type="button"
            onClick={() => setSide("plan")}
            disabled={run === undefined || run.query.lang === "sql"}
          >
            Explain
          </button>
          <button type="button" class="primary" onClick={runNow} title="Ctrl-Enter">
            Run
          </button>
        </>
      }
    >
      <TabBar
        tabs={tabs.value}
        onChoose={(id) => {
          tabs.value = { ...tabs.peek(), active: id };
          putIntoAddress({ settle: true });
        }}
        onClose={(id) => {
          forget(id);
          tabs.value = closed(tabs.peek(), id);
          putIntoAddress({ settle: true });
        }}
        onOpen={() => {
          tabs.value = opened(tabs.peek());
          putIntoAddress({ settle: true });
          editor.current?.focus();
        }}
      />
      <div class="query-layout">
        <div class="query-main">
          <EditorBox
            key={tab.id}
            label={labels[tab.lang]}
            language={tab.lang}
            text={text}
            textNow={() => tabText(activeTab(tabs.peek()))}
            onText={(written) => change({ [tab.lang]: written })}
            onRun={runNow}
            onCancel={() => cancel(tab.id)}
            onProblems={setProblems}
            onReady={(handle) => {
              editor.current = handle;
            }}
          />
          <div class="query-below">
            <LanguageSwitch tab={tab} onChange={change} />
            {tab.lang === "sql" ? null : <FormatButton tab={tab} onChange={change} />}
            <span class="muted query-hints">Ctrl-Enter runs · Ctrl-Space completes · Esc cancels</span>
          </div>
          {problem === undefined || isRefused ? null : <p class="query-problem">{problem.message}</p>}
        </div>
        <SidePanel
          side={side}
          onSide={setSide}
          lang={tab.lang}
          text={text}
          ran={run?.query.lang === "sql" ? undefined : run?.query.text}
          onInsert={(inserted) => editor.current?.insert(inserted)}
          onOpen={open}
        />
        {run === undefined ? null : (
          <ResultPanel
            run={run}
            advice={isRefused ? problem?.message : undefined}
            view={tab.view}
            onView={(view: View) => {
              change({ view });
              putIntoAddress({ settle: true });
            }}
            sort={tab.sort}
            onSort={(sort) => {
              change({ sort });
              putIntoAddress({ settle: true });
              if (run.result?.isSortedByServer === true) runTab(activeTab(tabs.peek()));
            }}
            onCancel={() => cancel(tab.id)}
          />
        )}
      </div>
    </Page>
  );
}

const labels: Readonly<Record<Tab["lang"], string>> = {
  pql: "Query in PQL",
  ast: "Query as AST",
  sql: "Query in SQL",
};

/** Runs what is written in a tab. A result that is cut is sorted by the server. */
function runTab(tab: Tab): void {
  const text = tabText(tab);
  if (text.trim() === "") return;
  const known = runs.peek().get(tab.id);
  const isSorted = tab.sort !== "" && known?.query.text === text && known.result?.isSortedByServer === true;
  const [, minus, field = ""] = /^(-?)([\s\S]*)$/.exec(tab.sort) ?? [];
  const orderBy = { field, order: minus === "-" ? ("desc" as const) : ("asc" as const) };
  void start(tab.id, { lang: tab.lang, text, ...(isSorted ? { orderBy } : {}) });
}

interface ChangingTab {
  readonly tab: Tab;
  readonly onChange: (content: Partial<Omit<Tab, "id">>) => void;
}

/** PQL, AST or SQL. PQL is translated to AST; nothing else is translated, so each keeps its text. */
function LanguageSwitch({ tab, onChange }: ChangingTab): JSX.Element {
  const toAst = (): void => {
    const ast = tab.pql.trim() === "" ? undefined : astOf(tab.pql, "pql");
    onChange({ lang: "ast", ...(ast === undefined ? {} : { ast: prettyAst(ast) }) });
  };
  return (
    <span role="group" aria-label="Language">
      <button type="button" aria-pressed={tab.lang === "pql"} onClick={() => onChange({ lang: "pql" })}>
        PQL
      </button>
      <button type="button" aria-pressed={tab.lang === "ast"} onClick={tab.lang === "ast" ? undefined : toAst}>
        AST
      </button>
      {about.value?.settings.sql === true || tab.lang === "sql" ? (
        <button type="button" aria-pressed={tab.lang === "sql"} onClick={() => onChange({ lang: "sql" })}>
          SQL
        </button>
      ) : null}
    </span>
  );
}

function FormatButton({ tab, onChange }: ChangingTab): JSX.Element {
  const formatted = (): string | undefined => {
    if (tab.lang === "pql") return formatPql(tab.pql);
    const ast = astOf(tab.ast, "ast");
    return ast === undefined ? undefined : prettyAst(ast);
  };
  return (
    <button
      type="button"
      onClick={() => {
        const text = formatted();
        if (text !== undefined) onChange({ [tab.lang]: text });
      }}
    >
      Format
    </button>
  );
}

/** The editor; a plain field until it is loaded, or where it cannot be. */
function EditorBox(props: EditorProps): JSX.Element {
  const [Editor, setEditor] = useState<ComponentType<EditorProps> | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    void import("../editor/editor.tsx").then(
      ({ default: Loaded }) => {
        if (!isGone) setEditor(() => Loaded);
      },
      // The plain field stays.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  if (Editor !== undefined) return <Editor {...props} />;
  return (
    <textarea
      class="editor-plain"
      aria-label={props.label}
      spellcheck={false}
      value={props.text}
      onInput={(event) => props.onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          props.onRun();
        }
      }}
    />
  );
}

interface ShareMenuProps {
  readonly lang: QueryLanguage;
  readonly query: string;
  /** Of this page with the query. */
  readonly url: string;
}

/** Copies the query in the forms that others need. */
function ShareMenu({ lang, query, url }: ShareMenuProps): JSX.Element {
  const link = { label: "Copy link", text: url };
  const forms =
    lang === "sql"
      ? [link, { label: "Copy as census sql", text: asCensusSql(query) }]
      : [
          link,
          { label: "Copy as curl", text: asCurl(query) },
          { label: "Copy as census query", text: asCensus(query) },
          { label: "Copy as puppetdb_query", text: asPuppet(query) },
        ];
  return (
    <PopupMenu label="Share" button="Share">
      {(close) =>
        forms.map(({ label, text }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            onClick={() => {
              close();
              void copyText(text).then((done) => announce(done ? "Copied" : "The browser does not allow copying"));
            }}
          >
            {label}
          </button>
        ))
      }
    </PopupMenu>
  );
}

interface TabBarProps {
  readonly tabs: Tabs;
  readonly onChoose: (id: number) => void;
  readonly onClose: (id: number) => void;
  readonly onOpen: () => void;
}

/** The queries of the workbench, named by their text. */
function TabBar({ tabs, onChoose, onClose, onOpen }: TabBarProps): JSX.Element {
  return (
    <div class="query-tabs">
      <ul aria-label="Queries">
        {tabs.all.map((tab) => {
          const title = titleOf(tab);
          const isActive = tab.id === tabs.active;
          return (
            <li key={tab.id} class={isActive ? "query-tab query-tab-active" : "query-tab"}>
              <button
                type="button"
                class="query-tab-title"
                aria-current={isActive ? "true" : undefined}
                title={title.slice(0, 500)}
                onClick={() => onChoose(tab.id)}
              >
                <bdi>{title.slice(0, 80)}</bdi>
              </button>
              {tabs.all.length === 1 ? null : (
                <button
                  type="button"
                  class="query-tab-close"
                  aria-label={`Close ${title.slice(0, 80)}`}
                  onClick={() => onClose(tab.id)}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <button type="button" class="plain" aria-label="New query" title="New query" onClick={onOpen}>
        <Icon name="plus" />
      </button>
    </div>
  );
}
