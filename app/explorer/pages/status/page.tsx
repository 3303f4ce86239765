import type { JSX } from "preact";
import type { Answer } from "../../api/shapes.ts";
import { about } from "../data/about.ts";
import { SettingsPanel } from "./settings.tsx";
import { Page } from "../frame/page.tsx";
import { Service } from "./service.tsx";
import { Stored } from "./stored.tsx";
import { useText } from "../address/address.ts";
import { useAnswer, useData } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { type FoundBeans, type ReadBeans, useBeans, usePolled } from "./use-beans.ts";
import { CopyButton } from "../frame/dialog.tsx";
import { useGrowing } from "../list/growing.tsx";
import { type SmallColumn, SmallTable } from "../list/small-table.tsx";
import { Age } from "../time/age.tsx";
import { formatBytes } from "../value/text.ts";
import { Text } from "../value/value.tsx";
import { useEffect, useState } from "preact/hooks";
import { Spark } from "../charts/spark.tsx";

/** A meter as `/pdb/dashboard/data` answers it. */
interface Meter {
  readonly id: string;
  readonly description: string;
  readonly addendum: string;
  readonly value: number | null;
  /** d3's notation; one that ends with `%` is a share of 1. */
  readonly format: string;
  readonly clampToZero?: number;
}

const EVERY_MS = 5000;
/** Readings that are shown: five minutes. */
const READINGS = 60;

/** Before the page was opened nothing was read. */
const none: readonly number[] = Array.from({ length: READINGS }, () => 0);

/** The meters of PuppetDB's dashboard as numbers, with their course over the last five minutes, as far as the page has been open. */
function Meters(): JSX.Element {
  const loaded = usePolled<readonly Meter[]>({ name: "Meters", path: "/pdb/dashboard/data" }, EVERY_MS);
  const courses = useCourses(loaded.value);
  return (
    <Panel title="Meters" loaded={loaded} height={300} class="steady">
      <ul class="meters">
        {(loaded.value ?? []).map((meter) => (
          <li key={meter.id}>
            <span class="meter-value">{meterText(meter)}</span>
            <span>
              {meter.description} <span class="muted">{meter.addendum}</span>
            </span>
            <Spark values={courses.get(meter.id) ?? none} label={`${meter.description}, last 5 minutes`} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function useCourses(meters: readonly Meter[] | undefined): ReadonlyMap<string, readonly number[]> {
  const [courses, setCourses] = useState<ReadonlyMap<string, readonly number[]>>(new Map());
  useEffect(() => {
    if (meters === undefined) return;
    setCourses(
      (before) =>
        new Map(
          meters.map(({ id, value }) => [id, [...(before.get(id) ?? none), value ?? 0].slice(-READINGS)] as const),
        ),
    );
  }, [meters]);
  return courses;
}

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** A meter's value as its format says. */
function meterText({ value, format, clampToZero = 0 }: Meter): string {
  if (value === null) return "–";
  const shown = Math.abs(value) < clampToZero ? 0 : value;
  return (format.endsWith("%") ? percent : compact).format(shown);
}

interface Timer {
  readonly Count: number;
  /** ms */
  readonly Mean: number;
  readonly "95thPercentile": number;
}

const SERVICE_TIME = /^puppetlabs\.puppetdb\.http:name=(?<path>.*)\.service-time$/;

/** The timers of all paths, with the attributes that are shown. */
const TIMERS = "/metrics/v2/read/puppetlabs.puppetdb.http:name=*.service-time/Count,Mean,95thPercentile";

const requestColumns: readonly SmallColumn<{ readonly path: string; readonly timer: Timer }>[] = [
  ["Path, with all below it", ({ path }) => path, "mono wrap"],
  ["Requests", ({ timer }) => timer.Count.toLocaleString(), "number"],
  ["Mean", ({ timer }) => `${timer.Mean.toFixed(1)} ms`, "number"],
  ["95 %", ({ timer }) => `${timer["95thPercentile"].toFixed(1)} ms`, "number"],
];

/** Requests by path since the start: how many, and how long they took. */
function Requests(): JSX.Element {
  const loaded = useData<ReadBeans<Timer>>({ name: "Requests by path", path: TIMERS });
  const rows = Object.entries(loaded.value?.value ?? {})
    .map(([name, timer]) => ({ path: pathOf(name), timer }))
    .filter(({ timer }) => timer.Count > 0)
    .sort((one, other) => other.timer.Count - one.timer.Count);
  return (
    <Panel title="Requests" loaded={loaded}>
      <div class="scroll-x">
        <SmallTable class="wide" rows={rows} keyOf={({ path }) => path} columns={requestColumns} />
      </div>
    </Panel>
  );
}

function pathOf(name: string): string {
  const path = SERVICE_TIME.exec(name)?.groups?.["path"] ?? name;
  return path.startsWith('"') ? path.slice(1, -1) : path;
}

/** Characters of a certname, and of a reason. */
const SHOWN = 300;

const letterColumns: readonly SmallColumn<Answer<"dead-letters">["letters"][number]>[] = [
  ["Received", ({ received }) => <Age time={received} />],
  ["Command", ({ command }) => command],
  ["Node", ({ certname }) => <Text text={certname} limit={SHOWN} />, "wrap"],
  ["Reason", ({ reason }) => <Text text={reason} limit={SHOWN} />, "wrap"],
  ["Size", ({ size }) => formatBytes(size), "number"],
  [
    "To show it",
    ({ name }) => (
      <CopyButton
        class="plain"
        text={`census dead-letters show '${name.replaceAll("'", String.raw`'\''`)}'`}
        label={`Copy command that shows ${name}`}
      >
        Copy command
      </CopyButton>
    ),
  ],
];

/** Commands that could not be stored, and what shows one in full. */
function DeadLettersPanel(): JSX.Element {
  const loaded = useAnswer("dead-letters", { name: "Dead letters" });
  const { total = 0, letters = [] } = loaded.value ?? {};
  const { shown, more } = useGrowing(letters, { step: 20, noun: "dead letters" });
  return (
    <Panel
      title={total === 0 ? "Dead letters" : `Dead letters (${total.toLocaleString()})`}
      loaded={loaded}
      empty={loaded.value !== undefined && total === 0 ? <p class="muted">All commands were stored.</p> : undefined}
    >
      <div class="scroll-x">
        <SmallTable
          class="wide"
          label="Dead letters"
          rows={shown}
          keyOf={({ name }) => name}
          head={2}
          columns={letterColumns}
        />
      </div>
      {more}
      {total > letters.length ? (
        <p class="muted">
          The newest {letters.length.toLocaleString()}; <code>census dead-letters list</code> has all.
        </p>
      ) : null}
    </Panel>
  );
}

/** MBeans as PuppetDB names them, and the attributes of one. */
function Beans(): JSX.Element {
  const loaded = useData<FoundBeans>({ name: "MBeans", path: "/metrics/v2/search/*:*" });
  const [filter, setFilter] = useText("q");
  const [chosen, choose] = useText("mbean");
  const names = loaded.value?.value ?? [];
  const shown = names.filter((name) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <Panel title="MBeans" loaded={loaded} actions={<span class="muted">{names.length.toLocaleString()} MBeans</span>}>
      <input
        data-filter
        aria-label="Filter MBeans by name"
        placeholder="Filter by name"
        class="wide"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value, { push: false })}
      />
      {/* Scrolling by keyboard needs a focus. */}
      <ul class="beans" tabIndex={0} aria-label="MBeans">
        {shown.map((name) => (
          <li key={name}>
            <button type="button" class="plain mono" aria-pressed={name === chosen} onClick={() => choose(name)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {chosen === "" ? null : <Bean name={chosen} />}
    </Panel>
  );
}

const attributeColumns: readonly SmallColumn<readonly [string, unknown]>[] = [
  ["", ([attribute]) => attribute],
  ["", ([, value]) => (typeof value === "string" ? value : JSON.stringify(value)), "mono wrap"],
];

function Bean({ name }: { readonly name: string }): JSX.Element {
  const { values, error } = useBeans([name]);
  const attributes = values?.[0];
  if (error !== undefined) return <p class="problem">{error}</p>;
  if (values !== undefined && attributes === undefined) return <p>There is no MBean with this name.</p>;
  return (
    <div class="scroll-x">
      <SmallTable
        class="wide"
        caption={<span class="mono">{name}</span>}
        rows={Object.entries((attributes ?? {}) as Record<string, unknown>)}
        columns={attributeColumns}
      />
    </div>
  );
}

/** Is Census well? */
export default function StatusPage(): JSX.Element {
  return (
    <Page title="Status">
      <div class="panels">
        <Service />
        <Stored />
      </div>
      <Meters />
      <div class="panels">
        <Requests />
        <Beans />
      </div>
      {about.value?.source.kind === "data" ? <DeadLettersPanel /> : null}
      <SettingsPanel />
    </Page>
  );
}
