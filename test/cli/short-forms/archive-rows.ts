import {
  certnamesOf,
  latestReports,
  type ArchiveDocuments,
  type ArchivedEvent,
  type ArchivedReport,
} from "../archive-documents.ts";

/*
 * The expected answers of short forms, computed from the documents of an archive.
 */

export type Row = Readonly<Record<string, unknown>>;

/** Numbers of rows by a key. */
export function counts(keys: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const key of keys) found.set(key, (found.get(key) ?? 0) + 1);
  return found;
}

export const rowsOf = (keys: readonly string[], name: string): Row[] =>
  [...counts(keys)].map(([key, count]) => ({ [name]: key, count }));

export const resourcesOf = ({ catalogs }: ArchiveDocuments) =>
  catalogs.flatMap(({ certname, resources }) => resources.map((resource) => ({ certname, ...resource })));

export const packagesOf = ({ facts }: ArchiveDocuments) =>
  facts.flatMap(({ certname, package_inventory: list = [] }) =>
    list.map(([package_name, version, provider]) => ({ certname, package_name, version, provider })),
  );

export interface FlatEvent extends ArchivedEvent {
  readonly certname: string;
  readonly resource: string;
  readonly class: string | null;
}

export const eventsOf = (reports: readonly ArchivedReport[]): FlatEvent[] =>
  reports.flatMap(({ certname, resources }) =>
    resources.flatMap(({ resource_type: type, resource_title: title, containment_path: path, events }) =>
      events.map((event) => ({
        ...event,
        certname,
        resource: `${type}[${title}]`,
        // The innermost class: the last element of the path that names no resource.
        class: path?.findLast((element) => !element.includes("[")) ?? null,
      })),
    ),
  );

/** Groups of events with their nodes. */
export function groupsOf(
  events: readonly FlatEvent[],
  name: string,
  keyOf: (event: FlatEvent) => string | null,
): Row[] {
  return [...new Set(events.map(keyOf))].map((key) => {
    const own = events.filter((event) => keyOf(event) === key);
    return { [name]: key, nodes: new Set(own.map(({ certname }) => certname)).size, count: own.length };
  });
}

export const failures = (from: ArchiveDocuments): FlatEvent[] =>
  eventsOf(latestReports(from)).filter(({ status }) => status === "failure");

export const corrective = (from: ArchiveDocuments): FlatEvent[] =>
  eventsOf(from.reports).filter((event) => event.corrective_change === true);

export function flapping({ reports }: ArchiveDocuments): Row[] {
  return [...new Set(reports.map(({ certname }) => certname))].flatMap((certname) => {
    const runs = reports
      .filter((report) => report.certname === certname)
      .sort((a, b) => (a.end_time < b.end_time ? -1 : 1));
    let changes = 0;
    for (let index = 1; index < runs.length; index++) {
      if ((runs[index]?.status === "failed") !== (runs[index - 1]?.status === "failed")) changes += 1;
    }
    if (changes < 2) return [];
    const failed = runs.filter(({ status }) => status === "failed").length;
    const { status, end_time: end } = runs.at(-1) ?? {};
    return [{ certname, status, changes, failed, runs: runs.length, end_time: end }];
  });
}

/** A value inside facts. */
function valueAt(values: Readonly<Record<string, unknown>>, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], values);
}

export function factCounts(from: ArchiveDocuments, path: string): Row[] {
  const values = new Map(from.facts.map(({ certname, values: all }) => [certname, valueAt(all, path)]));
  const keys = certnamesOf(from).map((certname) => JSON.stringify(values.get(certname) ?? null));
  return [...counts(keys)].map(([key, count]) => ({ value: JSON.parse(key) as unknown, count }));
}

export function parameterGroups(from: ArchiveDocuments, type: string, title: string): Row[] {
  const own = resourcesOf(from).filter((resource) => resource.type === type && resource.title === title);
  const names = [...new Set(own.flatMap(({ parameters }) => Object.keys(parameters)))];
  return names.flatMap((parameter) => {
    const values = own.map((resource) => JSON.stringify(resource.parameters[parameter] ?? null));
    return [...counts(values)].map(([value, count]) => ({
      parameter,
      value: JSON.parse(value) as unknown,
      count,
      certnames: own
        .filter((_, index) => values[index] === value)
        .map(({ certname }) => certname)
        .sort(),
    }));
  });
}

/** The file that most nodes have, with the values of its parameters on them. */
export function commonFile(from: ArchiveDocuments): string {
  const titles = resourcesOf(from).filter(({ type }) => type === "File");
  const [[title] = [""]] = [...counts(titles.map((resource) => resource.title))].sort((a, b) => b[1] - a[1]);
  return title;
}
