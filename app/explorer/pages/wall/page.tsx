import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { href, useEnvironment, useParameter } from "../address/address.ts";
import { list } from "../address/codecs.ts";
import { about, hasNewData, refresh } from "../data/about.ts";
import { online } from "../data/fetch-json.ts";
import { PanelBoundary } from "../frame/panel.tsx";
import { stateCounts, statesInOrder, useStateCounts } from "../overview/state-bar.tsx";
import { Runs } from "../overview/runs.tsx";
import { SitePanels } from "../overview/site-panels.tsx";
import { FoldedText, IssueKind, IssueResource, Spread } from "../issues/subject.tsx";
import { type StateKey, stateKeys } from "../state/states.ts";
import { formatTime, now, zone } from "../time/format.ts";
import { useTimeRange } from "../time/range.ts";
import { changeSince, type Reading, recorded } from "./readings.ts";
import { shareText } from "../charts/axis.ts";
import { StateMark } from "../state/state-mark.tsx";
import { useIssues } from "../data/use-query.ts";
import { shortMessage } from "../issues/folded-parts.ts";

const tilesCodec = list(statesInOrder);

/** The state of the fleet, readable from five metres: `?tiles=failed,silent` chooses what is shown. */
export default function WallPage(): JSX.Element {
  const environment = useEnvironment();
  const range = useTimeRange();
  const [tiles] = useParameter("tiles", tilesCodec);
  const loaded = useStateCounts(environment);
  const counts = stateCounts(loaded.value?.facets[0]);
  const total = loaded.value?.total ?? 0;
  const shown = tiles.filter((key): key is StateKey => (stateKeys as readonly string[]).includes(key));
  const longest = Math.max(1, ...shown.map((key) => (counts.get(key) ?? 0).toLocaleString().length));
  const readings = useReadings(loaded.value === undefined ? undefined : counts);
  const issues = useIssues({ name: "Issues on the most nodes now", range, environment, limit: 3 });
  const waiting = hasNewData();
  const away = useAwaySince();
  useEffect(() => {
    if (waiting) refresh();
  }, [waiting]);
  const name = about.value?.source.name ?? "";
  const title = name === "" ? "Census" : name;
  useEffect(() => {
    document.title = `Wall · ${title}`;
  }, [title]);
  return (
    <div class={away === undefined ? "wall" : "wall away"}>
      {away === undefined ? null : (
        <p class="wall-away" role="alert">
          No data since {formatTime(away, "time")}
        </p>
      )}
      <h1 class="visually-hidden">Wall</h1>
      <header class="wall-head">
        <a href={href("overview")}>{title}</a>
        <span>{environment ?? "all environments"}</span>
        <span>{total.toLocaleString()} nodes</span>
        <span>data of {formatTime(now.value)}</span>
        <Clock />
      </header>
      {loaded.error === undefined ? null : (
        <p class="problem" role="alert">
          {loaded.error.message}
        </p>
      )}
      <ul class="wall-tiles" style={{ "--longest": String(longest) }}>
        {shown.map((key) => (
          <Tile key={key} state={key} count={counts.get(key) ?? 0} total={total} change={changeSince(readings, key)} />
        ))}
      </ul>
      <PanelBoundary name="Runs">
        <Runs environment={environment} range={range} height={220} />
      </PanelBoundary>
      <SitePanels />
      <ol class="wall-issues" aria-label="Issues on the most nodes now">
        {(issues.value?.issues ?? []).map((issue) => (
          <li key={issue.id}>
            <a href={href("issue", [issue.id])}>
              <FoldedText text={shortMessage(issue.message)} limit={300} />
            </a>
            <span>
              <IssueKind kind={issue.kind} /> <IssueResource issue={issue} /> · <Spread issue={issue} />
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Counts since the wall was opened, the newest last. */
function useReadings(counts: ReadonlyMap<StateKey, number> | undefined): readonly Reading[] {
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  const revision = about.value?.revision;
  useEffect(() => {
    if (counts !== undefined) setReadings((before) => recorded(before, { time: Date.now(), counts }));
  }, [revision, counts === undefined]);
  return readings;
}

/** Since when the server has not answered; undefined while it does. */
function useAwaySince(): Date | undefined {
  const isOnline = online.value;
  const [since, setSince] = useState<Date | undefined>(undefined);
  useEffect(() => setSince(isOnline ? undefined : new Date()), [isOnline]);
  return since;
}

function Clock(): JSX.Element {
  const [time, setTime] = useState(new Date());
  useEffect(() => {
    const timer = setInterval(() => setTime(new Date()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time class="wall-clock" dateTime={time.toISOString()}>
      {formatTime(time, "time")} {zone.value === "utc" ? "UTC" : ""}
    </time>
  );
}

interface TileProps {
  readonly state: StateKey;
  readonly count: number;
  readonly total: number;
  /** Within the last hour, or since the wall was opened. */
  readonly change: number;
}

/** One state in large figures. */
function Tile({ state, count, total, change }: TileProps): JSX.Element {
  return (
    <li class={count === 0 ? "wall-tile none" : "wall-tile"}>
      <a href={href("nodes", [], { f: `state=${JSON.stringify(state)}` })}>
        <strong>{count.toLocaleString()}</strong>
        <StateMark state={state} />
        <span class="wall-share">
          {count === 0 ? "" : shareText(count, total)}
          {change === 0
            ? ""
            : `${count === 0 ? "" : " · "}${change > 0 ? "+" : "−"}${Math.abs(change).toLocaleString()}`}
        </span>
      </a>
    </li>
  );
}
