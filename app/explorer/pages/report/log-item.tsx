import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isWhole as isPageWhole } from "../list/growing.tsx";
import { formatTime } from "../time/format.ts";
import { highlighted, marked, ShowAll } from "../value/value.tsx";
import { Place, ResourceLink } from "../value/resource-link.tsx";
import { beginning, SHOWN_CHARACTERS, visibleText } from "../value/text.ts";
import { diffLines } from "./text-diff.ts";
import { levelOf, type ParsedLine } from "./rows.ts";
import { DiffView } from "./change.tsx";

export interface LogItemProps {
  readonly line: ParsedLine;
  /** As it is shown. */
  readonly message: string;
  /** When the run began. */
  readonly start: string | null;
  /** What is searched for. */
  readonly needle: string;
  readonly isRaw: boolean;
  /** Shows the event of the line's resource. */
  readonly onEvent: (() => void) | undefined;
}

/** A line of the log: time since the start, level, source, message. */
export function LogItem({ line: parsed, message, start, needle, isRaw, onEvent }: LogItemProps): JSX.Element {
  const { line } = parsed;
  const level = levelOf(line.level);
  return (
    <li class={`log-line log-${level}`}>
      <time class="log-time" dateTime={line.time} title={formatTime(line.time, "second")}>
        {offset(line.time, start)}
      </time>
      <span class="log-level">{visibleText(line.level)}</span>
      <span class="log-text">
        <Source line={parsed} isRaw={isRaw} needle={needle} />
        <Message text={message} needle={needle} />
        {isRaw ? (
          <>
            <Place file={line.file} line={line.line} />
            <Tags tags={line.tags ?? []} />
          </>
        ) : null}
        {onEvent === undefined ? null : (
          <button type="button" class="plain log-event" title="Show its event" onClick={onEvent}>
            event
          </button>
        )}
      </span>
    </li>
  );
}

function Source({
  line: { line, resource, property },
  isRaw,
  needle,
}: {
  readonly line: ParsedLine;
  readonly isRaw: boolean;
  readonly needle: string;
}): JSX.Element | null {
  const { source } = line;
  if (source === null || source === "" || (!isRaw && source === "Puppet")) return null;
  if (isRaw || resource === undefined) {
    return <bdi class="log-source muted">{highlighted(beginning(source, SHOWN_CHARACTERS), needle)}: </bdi>;
  }
  return (
    <span class="log-source">
      <ResourceLink resource={resource} />
      {property === undefined ? null : <bdi> {marked(property)}</bdi>}:{" "}
    </span>
  );
}

function Message({ text, needle }: { readonly text: string; readonly needle: string }): JSX.Element {
  const [isWhole, setIsWhole] = useState(false);
  const diff = diffLines(text);
  if (diff !== undefined) return <DiffView lines={diff} />;
  const isAll = isWhole || (text.length > SHOWN_CHARACTERS && isPageWhole.value);
  const shown = isAll ? text : beginning(text, SHOWN_CHARACTERS);
  return (
    <>
      <bdi class="log-message">{highlighted(shown, needle)}</bdi>
      {shown.length === text.length ? null : <ShowAll length={text.length} onClick={() => setIsWhole(true)} />}
    </>
  );
}

function Tags({ tags }: { readonly tags: readonly string[] }): JSX.Element | null {
  if (tags.length === 0) return null;
  return (
    <span class="log-tags muted">
      tags: <bdi>{marked(beginning(tags.join(", "), SHOWN_CHARACTERS))}</bdi>
    </span>
  );
}

/** `+9.1 s` */
function offset(time: string, start: string | null): string {
  const seconds = start === null ? Number.NaN : (Date.parse(time) - Date.parse(start)) / 1000;
  if (!Number.isFinite(seconds)) return formatTime(time, "time");
  return `${seconds < 0 ? "−" : "+"}${Math.abs(seconds).toFixed(1)} s`;
}
