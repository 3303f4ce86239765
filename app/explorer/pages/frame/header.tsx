import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { changeParameters, href, useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import { about, hasNewData, newData, refresh, opening } from "../data/about.ts";
import { asOf } from "../data/as-of.ts";
import { Origins } from "./origins.tsx";
import { following, liveCodec, storeFollowing } from "../data/live-choice.ts";
import { Icon } from "../icons/icon.tsx";
import { formatTime, zone } from "../time/format.ts";
import { useHeightProperty } from "./height-property.ts";
import { type Theme, chooseTheme, storedTheme } from "./theme-choice.ts";
import { TimeRangeMenu } from "./time-range-menu.tsx";
import { storeZone, zoneCodec } from "./zone-choice.ts";

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
      <TimeRangeMenu />
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

const environmentCodec = text();

function EnvironmentMenu(): JSX.Element {
  const [chosen, setChosen] = useParameter("env", environmentCodec);
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
        storeFollowing(next);
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
        storeZone(next);
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
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const { next, label } = themes[theme];
  return (
    <button
      type="button"
      class="tool"
      aria-label={label}
      title={`${label}; change`}
      onClick={() => {
        chooseTheme(next);
        setTheme(next);
      }}
    >
      <Icon name="theme" />
    </button>
  );
}
