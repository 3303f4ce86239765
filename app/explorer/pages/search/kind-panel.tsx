import type { JSX } from "preact";
import type { Finding, Found } from "#storage/search/finding.ts";
import type { SearchKind } from "#storage/search/kinds.ts";
import { href } from "../address/address.ts";
import type { Loaded } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { useGrowing } from "../list/growing.tsx";
import { highlighted } from "../value/value.tsx";
import { countText, findingHref, kindTitles } from "./kinds.ts";
import { beginning } from "../value/text.ts";

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

export interface KindPanelProps {
  readonly kind: SearchKind;
  readonly loaded: Loaded<Found>;
  readonly words: readonly string[];
  /** The text that was searched for. */
  readonly text: string;
}

/** What was found of a kind; nothing of a kind without findings. */
export function KindPanel({ kind, loaded, words, text }: KindPanelProps): JSX.Element | null {
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
