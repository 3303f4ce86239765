import type { JSX } from "preact";
import { isFileFormat } from "#storage/output/format-names.ts";
import { wordsOf } from "#storage/search/words.ts";
import { href, useText } from "../address/address.ts";
import { type Loaded, useAnswer } from "../data/use-data.ts";
import { Page } from "../frame/page.tsx";
import { SearchField } from "../list/search-field.tsx";
import { beginning, visibleText } from "../value/text.ts";
import { urlOf } from "../data/fetch-json.ts";
import { exportFormats } from "../export/export.ts";
import { PopupMenu } from "../frame/popup-menu.tsx";
import { Icon } from "../icons/icon.tsx";
import type { Finding, Found } from "#storage/search/finding.ts";
import type { SearchKind } from "#storage/search/kinds.ts";
import { factAddress, type FactPath } from "../pql/fact-path.ts";
import { literal, query, workbenchHref } from "../pql/text.ts";
import { Panel } from "../frame/panel.tsx";
import { useGrowing } from "../list/growing.tsx";
import { highlighted } from "../value/value.tsx";

/** Characters that are shown of a value. */
const SHOWN = 300;
/** Characters before the word that was searched for. */
const BEFORE = 80;

/** The part of a text around the first word that it has. */
function excerpt(text: string, words: readonly string[]): string {
  if (text.length <= SHOWN) return text;
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - BEFORE);
  const start = places.length === 0 || from < BEFORE ? 0 : from;
  const shown = beginning(text.slice(start), SHOWN).toWellFormed();
  return `${start > 0 ? "…" : ""}${shown}${start + shown.length < text.length ? "…" : ""}`;
}

interface KindPanelProps {
  readonly kind: SearchKind;
  readonly loaded: Loaded<Found>;
  readonly words: readonly string[];
  /** The text that was searched for. */
  readonly text: string;
}

/** What was found of a kind; nothing of a kind without findings. */
function KindPanel({ kind, loaded, words, text }: KindPanelProps): JSX.Element | null {
  const { total = 0, findings = [], isComplete = true } = loaded.value ?? {};
  const { shown, more } = useGrowing(findings, { step: 100, noun: "findings" });
  if (loaded.value !== undefined && total === 0 && isComplete) return null;
  const title = kindTitles[kind];
  return (
    <Panel
      title={loaded.value === undefined ? title : `${title} (${total.toLocaleString()}${isComplete ? "" : " or more"})`}
      loaded={loaded}
      height={40}
      actions={total > findings.length ? <a href={href("search", [], { q: text, kind })}>Show more</a> : undefined}
    >
      {isComplete ? null : (
        <p class="muted">Too much has these words: only a part of it was looked at. Another word narrows the search.</p>
      )}
      <table class="wide">
        <caption class="visually-hidden">{title} with these words</caption>
        <tbody>
          {shown.map((finding) => (
            <tr key={JSON.stringify([finding.name, finding.match])}>
              <td class="wrap">
                <FindingText kind={kind} finding={finding} words={words} />
              </td>
              <td class="number muted">{countText(kind, finding.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </Panel>
  );
}

function FindingText({
  kind,
  finding,
  words,
}: {
  readonly kind: SearchKind;
  readonly finding: Finding;
  readonly words: readonly string[];
}): JSX.Element {
  const { name, match } = finding;
  const target = findingHref(kind, finding);
  const shown = <bdi>{highlighted(excerpt(name ?? match ?? "", words), ...words)}</bdi>;
  return (
    <>
      {target === undefined ? shown : <a href={target}>{shown}</a>}
      {name === null || match === null ? null : (
        <>
          {" "}
          = <bdi>{highlighted(excerpt(match, words), ...words)}</bdi>
        </>
      )}
    </>
  );
}

/** What is searched, in the order of the page, by the name in the address. */
export const kindTitles = {
  node: "Nodes",
  class: "Classes",
  fact: "Facts",
  resource: "Resources",
  parameter: "Parameters of resources",
  package: "Packages",
  report: "Reports",
  message: "Messages of events",
  log: "Logs of the latest runs",
} as const satisfies Record<SearchKind, string>;

const kindKeys = Object.keys(kindTitles) as readonly SearchKind[];

/** Where a finding leads to; undefined: no page is about it. */
export function findingHref(kind: SearchKind, { name, match, subject }: Finding): string | undefined {
  if (subject !== undefined && "type" in subject) return href("resource", [], { ...subject });
  if (subject !== undefined) return href("fact", [], { path: factAddress(subject.path as FactPath) });
  switch (kind) {
    case "node":
      return name === null ? undefined : href("node", [name]);
    case "class":
      return name === null ? undefined : href("classes", [], { class: name });
    case "package":
      return name === null ? undefined : href("package", [], { name });
    case "report":
      return name === null ? undefined : href("report", [name]);
    case "message":
      return match === null
        ? undefined
        : workbenchHref(
            query("events", { where: `message = ${literal(match)}`, orderBy: ["timestamp desc"], limit: 100 }),
          );
    default:
      return undefined;
  }
}

/** "12 nodes", "3 times"; nothing where it is one node. */
export function countText(kind: SearchKind, count: number | null): string {
  if (count === null) return "";
  const nouns = kind === "message" || kind === "log" ? ["time", "times"] : ["node", "nodes"];
  return `${count.toLocaleString()} ${count === 1 ? nouns[0] : nouns[1]}`;
}

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
              isFileFormat(format) ? null : (
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

/** Where does this text occur? In names, values, messages, logs: as `census search` finds it. */
export default function SearchPage(): JSX.Element {
  const [q, setQ] = useText("q");
  const [only] = useText("kind");
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
          label="Words, or a text in quotes"
          value={q}
          onChange={(value) => setQ(value, { push: false })}
          isFilter
        />
      </p>
      {runs ? null : (
        <p class="muted">
          Type words of at least {SHORTEST} characters that all occur: parts of a name, a value, a message. Names of
          nodes, classes, resources and packages, facts, parameters, messages of events and the logs of the latest runs
          are searched, reports by the beginning of their hash (six digits at least) or their configuration version.
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
