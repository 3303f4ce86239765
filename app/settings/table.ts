import { census } from "./sections/census.ts";
import { commandProcessing } from "./sections/command-processing.ts";
import { database } from "./sections/database.ts";
import { developer } from "./sections/developer.ts";
import { global } from "./sections/global.ts";
import { jetty } from "./sections/jetty.ts";
import { metrics } from "./sections/metrics.ts";
import { puppetdb } from "./sections/puppetdb.ts";
import type { Section, Setting, ValueOf } from "./setting.ts";

/** Every section with settings that mean something here. */
export const sections = {
  global,
  jetty,
  puppetdb,
  database,
  "command-processing": commandProcessing,
  developer,
  metrics,
  census,
} as const satisfies Readonly<Record<string, Section>>;

type Sections = typeof sections;

/** The values of all settings. */
export type Values = {
  readonly [S in keyof Sections]: {
    readonly [N in keyof Sections[S]["settings"]]: ValueOf<Sections[S]["settings"][N]>;
  };
};

/** A setting with all its names. */
export interface Declared {
  readonly section: string;
  readonly name: string;
  /** The option of `census serve`, without dashes. */
  readonly flag: string;
  /** The environment variable. */
  readonly variable: string;
  readonly setting: Setting<unknown>;
}

/** Every setting, in the order of the table. */
export const declared: readonly Declared[] = Object.entries<Section>(sections).flatMap(([section, { settings }]) =>
  Object.entries(settings).map(([name, setting]) => ({
    section,
    name,
    flag: setting.flag ?? name,
    variable: variableOf(section, name),
    setting,
  })),
);

/** `[jetty] ssl-cert` is `CENSUS_JETTY_SSL_CERT`; the section `census` is not said twice. */
export function variableOf(section: string, name: string): string {
  const words = section === "census" ? [section, name] : ["census", section, name];
  return words
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "_");
}
