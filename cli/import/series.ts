import { memberName } from "#storage/archive/write.ts";
import { CensusError } from "#storage/errors.ts";
import { parseJson, stringifyJson } from "#storage/json.ts";
import { keepEverything, recordEverything } from "#storage/lifecycle/retention.ts";
import type { Submission } from "#storage/ingest/submission.ts";
import type { Store } from "#storage/store.ts";
import type { StoreOptions } from "#storage/store-options.ts";
import { type Clock, formatTimestamp, type Timestamp } from "#storage/time.ts";
import { commands } from "#storage/wire/commands.ts";
import { contentOptions } from "../content-options.ts";
import { archiveClock, importArchive, type ImportOptions, totalOf } from "../import-archive.ts";
import { LeftOut } from "./left-out.ts";

/** Exports of one site. */
export interface Series {
  /** The archives, the oldest first. */
  readonly paths: readonly string[];
  /** The time of the newest; undefined: it does not say. */
  readonly clock: Clock | undefined;
}

/**
 * Puts archives into the order of their times.
 * @throws CensusError "bad-file" for a file that is not an archive, and for one of several that does not say when it was made
 */
export async function seriesOf(given: readonly string[]): Promise<Series> {
  const archives: { readonly path: string; readonly clock: Clock | undefined; readonly time: Timestamp }[] = [];
  for (const path of given) {
    const clock = await archiveClock(path);
    if (clock === undefined && given.length > 1) {
      throw new CensusError("bad-file", `${path}: contains no export time, which the order of several archives needs`);
    }
    archives.push({ path, clock, time: clock?.now() ?? 0n });
  }
  archives.sort((one, other) => Number(one.time - other.time));
  return { paths: archives.map(({ path }) => path), clock: archives.at(-1)?.clock };
}

/** How a store is opened that a series is imported into: several archives become history. */
export function seriesOptions({ paths }: Series): StoreOptions {
  return { ...contentOptions, retention: paths.length > 1 ? recordEverything : keepEverything };
}

/**
 * Imports a series into an empty store, which then has the state of the newest archive and the history of all. Reports on stderr
 * what of a history cannot be read.
 * @returns the number of commands
 */
export async function importSeries(
  store: Store,
  { paths, clock }: Series,
  importing: Pick<ImportOptions, "onProgress" | "onReadable" | "signal" | "part">,
): Promise<number> {
  const leftOut = new LeftOut();
  const ofNewest = new Set<string>();
  let commandCount = 0;
  for (const [index, path] of paths.entries()) {
    const isNewest = index === paths.length - 1;
    const onNode = (certname: string): void => {
      if (isNewest) ofNewest.add(certname);
    };
    const imported = await importArchive(store, path, { ...importing, onNode, onHistoryLeftOut: leftOut.note });
    commandCount += totalOf(imported);
  }
  if (paths.length > 1) await deactivateOthers(store, ofNewest, (clock ?? store.clock).now());
  leftOut.report();
  return commandCount;
}

/** Nodes that the newest archive does not have were deleted before it was made. */
async function deactivateOthers(store: Store, present: ReadonlySet<string>, at: Timestamp): Promise<void> {
  const names = await namesOfNodes(store);
  async function* deactivations(): AsyncGenerator<Submission> {
    for (const certname of names) {
      if (present.has(memberName(certname))) continue;
      const payload = stringifyJson({ certname, producer_timestamp: formatTimestamp(at) });
      yield await Promise.resolve({
        command: "deactivate node",
        version: commands["deactivate node"].newest,
        certname,
        payload,
        received: at,
      });
    }
  }
  await store.importAll(deactivations());
}

async function namesOfNodes(store: Store): Promise<string[]> {
  const plan = store.queries.plan({ of: "root", pql: "nodes[certname] {}" });
  const names: string[] = [];
  for await (const rows of (await store.queries.run(plan)).rows) {
    for (const text of rows.texts()) names.push((parseJson(text) as { certname: string }).certname);
  }
  return names;
}
