import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { changeParameters, href, type Parameters, useText } from "../address/address.ts";
import { about, hasNewData, latest, newData, opening, refresh } from "../data/about.ts";
import { asOf, following, liveCodec, storedFollowing, storedZone, timeText, zoneCodec } from "../data/as-of.ts";
import { Icon } from "../icons/icon.tsx";
import { defaultSpan, formatDuration, formatTime, offeredSpans, seen, spanLabel, zone } from "../time/format.ts";
import { applyTheme, storedTheme, type Theme } from "./theme-choice.ts";
import { useTimeRange } from "../time/range.ts";
import { TypedField } from "../time/typed-field.tsx";
import { readTypedRange, type TypedRange, typedRange } from "#storage/time/typed.ts";
import type { ShownOrigin } from "../../../status/origin-status.ts";
import { originField } from "../pql/text.ts";
import { useHeightProperty } from "./page.tsx";

/** A copy is late when it is older, seconds: three looks with the default interval. */
const LATE = 90;

/** The servers that are copied, and how old each copy is. */
function Origins(): JSX.Element | null {
  const origins = latest.value?.store.origins ?? [];
  if (origins.length === 0) return null;
  return (
    <span class="header-source" data-origins>
      {origins.map((origin, index) => (
        <span key={origin.name} class={classOf(origin)} title={titleOf(origin)}>
          {index === 0 ? "" : " · "}
          <bdi>{origin.name}</bdi>, {textOf(origin)}
          {origin.shared === 0 ? null : (
            <>
              , <a href={sharedHref(origin.name)}>{origin.shared} shared</a>
            </>
          )}
        </span>
      ))}
    </span>
  );
}

/** The nodes of an origin that others have too, whatever their state. */
function sharedHref(name: string): string {
  const filter = `${originField}=${JSON.stringify(name)}`;
  return href("nodes", [], { f: filter, nodes: "any", q: "origins{ is_current = false }" });
}

function textOf({ state, progress, behind_seconds: behind }: ShownOrigin): string {
  if (progress !== null && (state === "copying" || behind === null)) {
    return `copying, ${progress.done.toLocaleString()} of ${progress.total.toLocaleString()}`;
  }
  if (state === "held" || state === "refused") return state;
  return behind === null ? state : `${formatDuration(behind)} ago`;
}

function classOf({ state, behind_seconds: behind }: ShownOrigin): string {
  if (state === "held" || state === "refused") return "state-failed";
  return state === "unreachable" || (behind ?? 0) > LATE ? "state-pending" : "muted";
}

function titleOf({ url, state, problem, shared }: ShownOrigin): string {
  const also = shared === 0 ? "" : `; other origins have ${shared} of its nodes too`;
  return `${url}: ${problem ?? state}${also}`;
}

export interface HeaderProps {
  readonly onSearch: () => void;
  readonly onQueries: () => void;
  readonly onKeys: () => void;
  readonly onTime: () => void;
  /** Below the rest. */
  readonly children?: ComponentChildren;
}

/** What is looked at, and what applies to every page: environment, time range, zone, theme. */
export function Header({ onSearch, onQueries, onKeys, onTime, children }: HeaderProps): JSX.Element {
  const header = useRef<HTMLElement>(null);
  useHeightProperty(header, "--header");
  return (
    <header ref={header} class="header">
      <a class="header-name" href={href("overview")}>
        Census
      </a>
      <Source />
      <Origins />
      <button type="button" class="header-search" onClick={onSearch}>
        <Icon name="search" />
        <span>Search</span>
        <kbd>Ctrl K</kbd>
      </button>
      <EnvironmentMenu />
      <TimeRangeField />
      <TimeButton onTime={onTime} />
      <FollowButton />
      <RefreshButton />
      <div class="header-tools">
        <ZoneButton />
        <ThemeButton />
        <button type="button" class="tool" title="Queries of this page (.)" onClick={onQueries}>
          PQL
        </button>
        <button type="button" class="tool" aria-label="Keys and help" title="Keys and help (?)" onClick={onKeys}>
          <Icon name="help" />
        </button>
      </div>
      {children}
    </header>
  );
}

function Source(): JSX.Element | null {
  const known = about.value ?? opening.value;
  if (known === undefined) return null;
  const time = "clock" in known && known.clock === "fixed" ? formatTime(known.now) : undefined;
  return (
    <span class="header-source" title={time === undefined ? undefined : `Times are as of ${time}`}>
      <bdi>{known.source.name}</bdi>
      {time === undefined ? null : <span class="muted"> as of {time}</span>}
    </span>
  );
}

function EnvironmentMenu(): JSX.Element {
  const [chosen, setChosen] = useText("env");
  const known = about.value?.environments ?? [];
  const names = chosen === "" || known.includes(chosen) ? known : [chosen, ...known];
  return (
    <label class="header-field">
      <span class="visually-hidden">Environment</span>
      <select data-environment value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
        <option value="">all environments</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Only where changes are recorded. */
function TimeButton({ onTime }: Pick<HeaderProps, "onTime">): JSX.Element | null {
  if (about.value?.history == null) return null;
  return (
    <button type="button" class="tool" data-as-of title="Look at the state of a past time (a)" onClick={onTime}>
      {asOf.value === undefined ? "As of: now" : "As of: past"}
    </button>
  );
}

/** Neither an archive that has been read nor a past state changes. */
function FollowButton(): JSX.Element | null {
  const isArchive = about.value?.source.kind === "archive" && opening.value === undefined;
  if (about.value === undefined || isArchive || asOf.value !== undefined) return null;
  const isOn = following.value;
  return (
    <button
      type="button"
      class="tool"
      title={isOn ? "Pages follow what is stored; pause" : "Pages wait until you refresh; follow what is stored"}
      onClick={() => {
        const next = isOn ? "off" : "on";
        storedFollowing.write(next);
        following.value = !isOn;
        changeParameters({ live: liveCodec.write(next) }, { push: false });
      }}
    >
      <Icon name={isOn ? "live" : "paused"} />
      <span>{isOn ? "Live" : "Paused"}</span>
    </button>
  );
}

function RefreshButton(): JSX.Element {
  const waiting = hasNewData();
  const text = newData();
  return (
    <button
      type="button"
      class={waiting ? "tool new-data" : "tool"}
      title="Refresh (r)"
      aria-label={waiting ? `Show ${text}` : "Refresh"}
      onClick={refresh}
    >
      <Icon name="refresh" />
      {waiting ? <span>{text}</span> : null}
    </button>
  );
}

function ZoneButton(): JSX.Element {
  const next = zone.value === "utc" ? "local" : "utc";
  return (
    <button
      type="button"
      class="tool"
      title={zone.value === "utc" ? "Times are in UTC; show local time" : "Times are local; show UTC"}
      onClick={() => {
        storedZone.write(next);
        zone.value = next;
        changeParameters({ zone: zoneCodec.write(next) }, { push: false });
      }}
    >
      {zone.value === "utc" ? "UTC" : "Local time"}
    </button>
  );
}

const themes: Readonly<Record<Theme, { next: Theme; label: string }>> = {
  auto: { next: "light", label: "Theme: as the system" },
  light: { next: "dark", label: "Theme: light" },
  dark: { next: "auto", label: "Theme: dark" },
};

function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme.read);
  const { next, label } = themes[theme];
  return (
    <button
      type="button"
      class="tool"
      aria-label={label}
      title={`${label}; change`}
      onClick={() => {
        applyTheme(next);
        storedTheme.write(next);
        setTheme(next);
      }}
    >
      <Icon name="theme" />
    </button>
  );
}

const offeredRanges = [...offeredSpans.map(spanLabel), "today", "yesterday"];

/** The time range of the page, which one chooses, types, or selects in a chart. */
function TimeRangeField(): JSX.Element {
  const { last, label, from, to } = useTimeRange();
  const [end] = useText("to");
  const range = { from: from.getTime(), to: end === "" ? undefined : to.getTime() };
  return (
    <div class="header-range" data-time-range>
      <TypedField
        label="Time range"
        value={last === undefined ? typedRange(range, seen().zone) : label}
        offered={offeredRanges}
        take={(text) => {
          const read = readTypedRange(text, seen());
          if (read === undefined) return NO_RANGE;
          changeParameters(rangeAddress(read));
          return undefined;
        }}
      />
    </div>
  );
}

const NO_RANGE =
  "Write a range that ends after it begins, such as: yesterday 02:00–04:00, 2026-11-18 – 2026-11-20, since 2026-11-18 12:00, last 3 days.";

function rangeAddress(range: TypedRange): Parameters {
  if (range.last !== undefined) {
    return { last: range.last === defaultSpan ? undefined : range.last, from: undefined, to: undefined };
  }
  const { from, to } = range;
  return {
    last: undefined,
    from: timeText(new Date(from)),
    to: to === undefined ? undefined : timeText(new Date(to)),
  };
}
