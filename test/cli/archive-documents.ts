import { archiveMembers } from "#fixtures/archive.ts";
import { type PopulationOptions, populationCommands } from "#fixtures/population.ts";
import { openMembers } from "#storage/archive/members.ts";
import { writeArchiveFile } from "#storage/archive/write.ts";

/** A resource of a catalog, as archives have it. */
export interface ArchivedResource {
  readonly type: string;
  readonly title: string;
  readonly file?: string | null;
  readonly line?: number | null;
  readonly exported: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ArchivedEvent {
  readonly status: string;
  readonly timestamp: string;
  readonly property: string | null;
  readonly message: string | null;
  readonly old_value: unknown;
  readonly new_value: unknown;
  readonly corrective_change: boolean | null;
}

export interface ArchivedReport {
  readonly certname: string;
  readonly status: string;
  readonly cached_catalog_status: string | null;
  readonly type: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly logs: readonly { readonly message: string; readonly level: string; readonly source: string }[];
  readonly resources: readonly {
    readonly resource_type: string;
    readonly resource_title: string;
    readonly containment_path: readonly string[] | null;
    readonly events: readonly ArchivedEvent[];
  }[];
}

/** The documents of an archive, as plain JSON: what answers are computed from a second time, without any query. */
export interface ArchiveDocuments {
  readonly facts: readonly {
    readonly certname: string;
    readonly values: Readonly<Record<string, unknown>>;
    readonly package_inventory?: readonly (readonly [name: string, version: string, provider: string])[];
  }[];
  readonly catalogs: readonly { readonly certname: string; readonly resources: readonly ArchivedResource[] }[];
  /** Of agents. */
  readonly reports: readonly ArchivedReport[];
}

/** Reads all documents of an archive. */
export async function archiveDocuments(path: string): Promise<ArchiveDocuments> {
  const documents: Record<string, unknown[]> = { facts: [], catalogs: [], reports: [] };
  for await (const { name, body } of openMembers(path)) {
    const { folder = "" } = /^[^/]+\/(?<folder>\w+)\//.exec(name)?.groups ?? {};
    documents[folder]?.push(JSON.parse(body.toString()));
  }
  const all = documents as unknown as ArchiveDocuments;
  return { ...all, reports: all.reports.filter(({ type }) => type === "agent") };
}

/** The latest report of each node. */
export function latestReports({ reports }: ArchiveDocuments): ArchivedReport[] {
  const latest = new Map<string, ArchivedReport>();
  for (const report of reports) {
    const known = latest.get(report.certname);
    if (known === undefined || known.end_time < report.end_time) latest.set(report.certname, report);
  }
  return [...latest.values()];
}

/** The names of all nodes. */
export function certnamesOf({ facts, catalogs, reports }: ArchiveDocuments): string[] {
  return [...new Set([...facts, ...catalogs, ...reports].map(({ certname }) => certname))].sort();
}

/** Writes an archive with a generated population. */
export async function writePopulation(path: string, options: PopulationOptions): Promise<void> {
  const members = archiveMembers((only) => populationCommands({ ...options, only }), { timestamp: options.baseTime });
  await writeArchiveFile(path, eventually(members), { format: "tar.gz", mtime: new Date(options.baseTime) });
}

async function* eventually<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

/** Whether a run used a cached catalog because there was no new one, although it looks healthy. */
export function isHiddenFailure({ status, cached_catalog_status: cached }: ArchivedReport): boolean {
  return status !== "failed" && cached === "on_failure";
}
