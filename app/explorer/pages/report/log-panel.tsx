import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useParameter } from "../address/address.ts";
import { flag, oneOf, text } from "../address/codecs.ts";
import type { Loaded } from "../data/use-data.ts";
import { CopyButton } from "../frame/copy-button.tsx";
import { useKeys } from "../frame/keys.ts";
import { Panel } from "../frame/panel.tsx";
import { countValues } from "../list/choice.tsx";
import { useGrowing } from "../list/growing.tsx";
import { SearchField } from "../list/search-field.tsx";
import { holds } from "../value/highlight.tsx";
import { parseSource, refText } from "../value/resource-ref.ts";
import { beginning, visibleText } from "../value/text.ts";
import { friendly } from "./friendly.ts";
import { isAtLeast, levelOf, type LogLevel, logLevels } from "./log-levels.ts";
import { LogItem } from "./log-item.tsx";
import type { LogLine, ReportRow } from "./rows.ts";

export interface LogPanelProps {
  readonly report: ReportRow;
  readonly loaded: Loaded<readonly LogLine[]>;
  /** Resources (`refText`) that have events. */
  readonly withEvents: ReadonlySet<string>;
  readonly onEvent: (ref: string) => void;
}

/** A line with what is shown of it. */
interface ShownLine {
  readonly line: LogLine;
  readonly message: string;
  /** `refText` of its resource; the source as it is when it is no resource. */
  readonly source: string;
}

const levelCodec = oneOf(logLevels, "info");
const textCodec = text();

/** The log of the run. */
export function LogPanel({ report, loaded, withEvents, onEvent }: LogPanelProps): JSX.Element {
  const [least, setLeast] = useParameter("level", levelCodec);
  const [needle, setNeedle] = useParameter("text", textCodec);
  const [source, setSource] = useParameter("source", textCodec);
  const [isRaw, setIsRaw] = useParameter("raw", flag);
  useKeys({ v: () => setIsRaw(!isRaw, { push: false }) });
  const lines = useMemo(
    () => (loaded.value ?? []).map((line) => shownLine(line, report, isRaw)),
    [loaded.value, isRaw],
  );
  const shown = useMemo(
    () =>
      lines.filter(
        (one) =>
          isAtLeast(one.line.level, least) &&
          (source === "" || one.source === source) &&
          (needle === "" || holds(one.message, needle) || holds(one.source, needle)),
      ),
    [lines, least, needle, source],
  );
  const growing = useGrowing(shown, { noun: "lines" });
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
            <CopyButton text={() => plainText(shown, isRaw)} label="Copy the lines that are shown">
              Copy
            </CopyButton>
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
        {growing.shown.map(({ line, message, source: from }, index) => (
          <LogItem
            // Lines have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            key={index}
            line={line}
            message={message}
            start={report.start_time}
            needle={needle}
            isRaw={isRaw}
            onEvent={withEvents.has(from) ? () => onEvent(from) : undefined}
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

function shownLine(line: LogLine, { certname }: ReportRow, isRaw: boolean): ShownLine {
  const source = line.source === null ? undefined : parseSource(line.source);
  return {
    line,
    message: isRaw ? line.message : friendly(line.message, { certname, property: source?.property }),
    source: source === undefined ? (line.source ?? "") : refText(source.resource),
  };
}

/** The lines as text: time, level, source, message. */
function plainText(lines: readonly ShownLine[], isRaw: boolean): string {
  return lines
    .map(({ line, message, source }) =>
      [line.time, line.level, isRaw ? (line.source ?? "") : source, message].filter((part) => part !== "").join(" "),
    )
    .join("\n");
}
