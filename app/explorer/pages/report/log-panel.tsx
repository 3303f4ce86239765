import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { useParameter, useText } from "../address/address.ts";
import { flag, oneOf } from "../address/codecs.ts";
import type { Loaded } from "../data/use-data.ts";
import { ExportMenu } from "../export/menu.tsx";
import { CopyButton } from "../frame/dialog.tsx";
import { useKeys } from "../frame/keys.ts";
import { Panel } from "../frame/panel.tsx";
import { countValues, SearchField } from "../list/search-field.tsx";
import { isWhole as isPageWhole, useGrowing } from "../list/growing.tsx";
import { literal, query } from "../pql/text.ts";
import { highlighted, holds, marked, ShowAll } from "../value/value.tsx";
import { beginning, SHOWN_CHARACTERS, visibleText } from "../value/text.ts";
import {
  isAtLeast,
  levelOf,
  lineMessage,
  type LogLevel,
  logLevels,
  type LogLine,
  type ParsedLine,
  type ReportRow,
} from "./rows.ts";
import { formatTime } from "../time/format.ts";
import { diffLines } from "./text-diff.ts";
import { DiffView } from "./change.tsx";
import { Place, ResourceLink } from "../value/resource-link.tsx";

interface LogItemProps {
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
function LogItem({ line: parsed, message, start, needle, isRaw, onEvent }: LogItemProps): JSX.Element {
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

export interface LogPanelProps {
  readonly report: ReportRow;
  readonly loaded: Loaded<readonly LogLine[]>;
  /** What was loaded, with the sources read. */
  readonly lines: readonly ParsedLine[];
  /** Resources (`refText`) that have events. */
  readonly withEvents: ReadonlySet<string>;
  readonly onEvent: (ref: string) => void;
}

const levelCodec = oneOf(logLevels, "info");
/** The log of the run. */
export function LogPanel({ report, loaded, lines, withEvents, onEvent }: LogPanelProps): JSX.Element {
  const [least, setLeast] = useParameter("level", levelCodec);
  const [needle, setNeedle] = useText("text");
  const [source, setSource] = useText("source");
  const [isRaw, setIsRaw] = useParameter("raw", flag);
  useKeys({ v: () => setIsRaw(!isRaw, { push: false }) });
  const messageOf = (one: ParsedLine): string => lineMessage(one, { certname: report.certname, isRaw });
  const shown = useMemo(
    () =>
      lines.filter(
        (one) =>
          isAtLeast(one.line.level, least) &&
          (source === "" || one.source === source) &&
          (needle === "" || holds(one.source, needle) || holds(messageOf(one), needle)),
      ),
    // How messages are shown only matters where they are searched.
    [lines, least, needle, source, needle === "" || isRaw],
  );
  const growing = useGrowing(shown, { step: 100, noun: "lines" });
  const counts = useMemo(() => countValues(lines.map(({ line }) => levelOf(line.level))), [lines]);
  return (
    <Panel
      title={loaded.value === undefined ? "Log" : `Log (${lines.length.toLocaleString()})`}
      loaded={loaded}
      class="log-panel"
      empty={lines.length === 0 ? <p class="muted">The agent sent no log.</p> : undefined}
      actions={
        lines.length === 0 ? undefined : (
          <>
            <LevelButtons least={least} counts={counts} onChange={setLeast} />
            <SearchField
              label="Search the log"
              value={needle}
              onChange={(value) => setNeedle(value, { push: false })}
              isFilter
            />
            <button
              type="button"
              aria-pressed={isRaw}
              title="Show lines as the agent sent them (v)"
              onClick={() => setIsRaw(!isRaw)}
            >
              Raw
            </button>
            <CopyButton
              text={() => shown.map((one) => plainText(one, messageOf(one), isRaw)).join("\n")}
              label="Copy the lines that are shown"
            >
              Copy
            </CopyButton>
            <ExportMenu
              name="report"
              label="The report with its log and metrics"
              pql={query("reports", { where: `hash = ${literal(report.hash)}` })}
            />
          </>
        )
      }
    >
      {source === "" ? null : (
        <p>
          Only lines of <bdi class="wrap">{visibleText(beginning(source, 200))}</bdi>{" "}
          <button type="button" class="plain" onClick={() => setSource("")}>
            Show all sources
          </button>
        </p>
      )}
      {shown.length === 0 ? <p>No line is like that.</p> : null}
      <ol class="log">
        {growing.shown.map((one, index) => (
          <LogItem
            // Lines have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            key={index}
            line={one}
            message={messageOf(one)}
            start={report.start_time}
            needle={needle}
            isRaw={isRaw}
            onEvent={withEvents.has(one.source) ? () => onEvent(one.source) : undefined}
          />
        ))}
      </ol>
      {growing.more}
    </Panel>
  );
}

interface LevelButtonsProps {
  readonly least: LogLevel;
  readonly counts: ReadonlyMap<string, number>;
  readonly onChange: (least: LogLevel) => void;
}

function LevelButtons({ least, counts, onChange }: LevelButtonsProps): JSX.Element {
  return (
    <div class="log-levels" role="group" aria-label="Levels shown">
      {logLevels
        .filter((level) => counts.has(level))
        .map((level) => (
          <button
            key={level}
            type="button"
            aria-pressed={isAtLeast(level, least)}
            title={`Show lines of level ${level} and worse`}
            onClick={() => onChange(level)}
          >
            {level} {(counts.get(level) ?? 0).toLocaleString()}
          </button>
        ))}
    </div>
  );
}

/** A line as text: time, level, source, message. */
function plainText({ line, source }: ParsedLine, message: string, isRaw: boolean): string {
  return [line.time, line.level, isRaw ? (line.source ?? "") : source, message].filter((part) => part !== "").join(" ");
}
