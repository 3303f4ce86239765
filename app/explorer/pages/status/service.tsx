import type { JSX } from "preact";
import { about } from "../data/about.ts";
import { Panel } from "../frame/panel.tsx";
import { formatDuration, formatTime } from "../time/format.ts";
import { usePolled } from "./use-beans.ts";

/** The log that several servers share, and how far this one has stored it. */
interface CommandLog {
  readonly log: string;
  readonly position: number;
  readonly behind: number;
  readonly behind_seconds: number;
  readonly silent_seconds: number | null;
  readonly compared?: {
    readonly position: number;
    readonly equal: readonly string[];
    readonly different: readonly string[];
  };
  readonly problem?: string;
}

interface Services {
  readonly "puppetdb-status": {
    readonly state: string;
    readonly status: {
      readonly queue_depth: number | null;
      readonly "maintenance_mode?": boolean;
      readonly "read_db_up?": boolean;
      readonly "write_db_up?": boolean;
      readonly command_log?: CommandLog;
    };
  };
  readonly "status-service": {
    readonly status: { readonly experimental?: { readonly "jvm-metrics"?: { readonly "up-time-ms": number } } };
  };
}

const EVERY_MS = 10_000;

const kinds = {
  archive: "archive, opened to read",
  data: "data directory",
  fixture: "generated data in memory",
  memory: "data in memory",
} as const;

/** State, version, source and uptime of the service. */
export function Service(): JSX.Element {
  const loaded = usePolled<Services>(
    { name: "Status of the services", path: "/status/v1/services", parameters: { level: "debug" } },
    EVERY_MS,
  );
  const known = about.value;
  const { "puppetdb-status": own, "status-service": service } = loaded.value ?? {};
  const up = service?.status.experimental?.["jvm-metrics"]?.["up-time-ms"];
  return (
    <Panel title="Service" loaded={loaded}>
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <strong class={own?.state === "running" ? undefined : "state-failed"}>{own?.state}</strong>
          {own?.status["maintenance_mode?"] === true ? ", in maintenance" : ""}
        </dd>
        <dt>Database</dt>
        <dd>
          {own?.status["read_db_up?"] === true ? "can be read" : "cannot be read"},{" "}
          {known?.source.kind === "archive"
            ? "is not written: an archive is opened to read"
            : own?.status["write_db_up?"] === true
              ? "can be written"
              : "cannot be written"}
        </dd>
        <dt>Commands waiting</dt>
        <dd>{own?.status.queue_depth ?? "–"}</dd>
        {own?.status.command_log === undefined ? null : <SharedLog {...own.status.command_log} />}
        <dt>Running for</dt>
        <dd>{up === undefined ? "–" : formatDuration(up / 1000)}</dd>
        <dt>Version</dt>
        <dd>
          Census {known?.version}, with the interface of PuppetDB {known?.interface}
        </dd>
        <dt>Source</dt>
        <dd>
          <bdi>{known?.source.name}</bdi>
          {known === undefined ? "" : ` (${kinds[known.source.kind]})`}
        </dd>
        <dt>Clock</dt>
        <dd>
          {known === undefined ? "–" : formatTime(known.now, "second")}
          {known?.clock === "fixed" ? ", the time of the data" : ""}
        </dd>
        <dt>Interfaces</dt>
        <dd>
          <a href="/openapi.json">openapi.json</a> · <a href="/metrics">metrics for Prometheus</a> ·{" "}
          <a href="/status/v1/services?level=debug">status</a>
        </dd>
      </dl>
    </Panel>
  );
}

/** How far this server has stored the log that it shares with others. */
function SharedLog({ log, position, behind, compared, problem, ...seconds }: CommandLog): JSX.Element {
  const { behind_seconds: late, silent_seconds: silent } = seconds;
  return (
    <>
      <dt>Command log</dt>
      <dd>
        <bdi title={log}>stored up to {position.toLocaleString()}</bdi>
        {behind === 0 ? "" : `, ${behind.toLocaleString()} entries behind`}
        {late < 1 ? "" : `, ${formatDuration(late)} behind`}
        {problem === undefined ? "" : <strong class="state-failed">, {problem}</strong>}
      </dd>
      <dt>Log answered</dt>
      <dd>{silent === null ? "not since the start" : silent < 1 ? "now" : `${formatDuration(silent)} ago`}</dd>
      <dt>Other servers</dt>
      <dd>
        <OtherServers compared={compared} />
      </dd>
    </>
  );
}

function OtherServers({ compared }: { readonly compared: CommandLog["compared"] | undefined }): JSX.Element {
  if (compared === undefined) return <>not compared since the start</>;
  const { equal, different, position } = compared;
  if (different.length > 0)
    return (
      <strong class="state-failed">
        had other data at {position.toLocaleString()}: {different.join(", ")}
      </strong>
    );
  if (equal.length === 0) return <>none was compared at {position.toLocaleString()}</>;
  return (
    <>
      had the same at {position.toLocaleString()}: {equal.join(", ")}
    </>
  );
}
