import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { useParameter, useText } from "../address/address.ts";
import { flag, oneOf } from "../address/codecs.ts";
import type { Loaded } from "../data/use-data.ts";
import { ExportMenu } from "../export/menu.tsx";
import { CopyButton } from "../frame/dialog.tsx";
import { useKeys } from "../frame/keys.ts";
import { Panel } from "../frame/panel.tsx";
import { countValues, SearchField } from "../list/search-field.tsx";
import { useGrowing } from "../list/growing.tsx";
import { literal, query } from "../pql/text.ts";
import { holds } from "../value/value.tsx";
import { beginning, visibleText } from "../value/text.ts";
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
import { LogItem } from "./log-item.tsx";

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
