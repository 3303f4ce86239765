import { basename, resolve } from "node:path";
import type { Progress } from "#app/explorer/api/shapes.ts";
import type { EarlyService } from "#app/service.ts";
import type { Store } from "#storage/store.ts";
import { formatTimestamp, type Clock } from "#storage/time.ts";
import { announceArchive, comparisonUrl, explorerUrl } from "./announcement.ts";
import { openBrowser } from "./browser.ts";
import { preloadListening } from "./open-and-preload.ts";
import { openArchive, openArchives, type Showing } from "./sources/archive.ts";
import { stdout } from "./stdout.ts";

export interface ServeArchiveOptions {
  /** Paths of one archive, or of several of a site. */
  readonly archives: readonly string[];
  /** Path of an older archive that the explorer compares it with. */
  readonly against: string | undefined;
  readonly port: number;
  /** How many higher ports to try if it is in use. */
  readonly alternatives: number;
  /** A clock to use instead of the time of the archive. */
  readonly clock: Clock | undefined;
  /** Whether to use the cache of opened archives. */
  readonly isCached: boolean;
  /** Whether to show the explorer in the user's browser, where there is one. */
  readonly showsBrowser: boolean;
}

/**
 * Serves an archive, or the newest of several with the history of the others, until a signal stops the program. It listens while the archive is still being opened: until then the
 * explorer shows the progress.
 * @throws CensusError "bad-file" for an archive that cannot be read; PortTaken
 */
export async function serveArchive(options: ServeArchiveOptions): Promise<void> {
  const { archives, against, port, alternatives, clock, isCached: cached, showsBrowser } = options;
  let progress: Progress = { text: "Opening the archive" };
  const abandoned = new AbortController();
  let service: EarlyService | undefined;
  let filling: Store | undefined;
  const showing: Showing = {
    show: (store) => {
      if (filling !== undefined) return;
      filling = store;
      service?.show(store);
    },
    hide: async () => {
      filling = undefined;
      await service?.hide();
    },
  };
  // Until the newest of several has been read, another state would be shown; and a time that is set is that of the whole archive.
  const isShown = archives.length === 1 && against === undefined && clock === undefined;
  const opening = openArchives(archives, {
    clock,
    cached,
    onProgress: (done, total) => {
      progress = done < total ? { text: "Reading the archive", done, total } : { text: "Storing what was read" };
    },
    signal: abandoned.signal,
    ...(isShown ? { showing } : {}),
  });
  // Its clock is its own: the time that is set is that of the served archive.
  const openingOther = against === undefined ? undefined : openArchive(against, { cached, signal: abandoned.signal });
  const loading = preloadListening();
  // All are awaited below. If one fails, ignore how the others end.
  for (const begun of [opening, openingOther ?? opening, loading]) begun.catch(() => undefined);
  try {
    // An archive that cannot be opened is reported before anything listens, if that is known by then.
    await Promise.race([opening, openingOther ?? opening, loading]);
    const { listenEarly, serveUntilStopped, surviveFaults } = await loading;
    const stopSurviving = surviveFaults();
    const plain = { host: "127.0.0.1", port };
    const name = archives.map((path) => basename(resolve(path))).join(", ");
    const source = { kind: "archive", name } as const;
    service = await listenEarly({ plain, alternatives, source, explorer: { sql: true } }, () => progress);
    if (filling !== undefined) service.show(filling);
    const { url } = service;
    if (alternatives > 0 && !url.endsWith(`:${port}`)) {
      process.stderr.write(`census: port ${port} is in use; listening on ${url}\n`);
    }
    if (showsBrowser) openBrowser(against === undefined ? explorerUrl(url) : comparisonUrl(url));
    const { store } = await opening;
    const other = await openingOther;
    service.ready(
      store,
      other === undefined || against === undefined
        ? undefined
        : { store: other.store, name: basename(resolve(against)) },
    );
    stopSurviving();
    const announcement = announceArchive(url, {
      archive: archives.join(", "),
      asOf: formatTimestamp(store.clock.now()),
      against,
    });
    await serveUntilStopped(service, () => stdout.write(announcement));
  } finally {
    abandoned.abort();
    await service?.close();
    for (const begun of [opening, openingOther]) {
      await begun?.then(
        ({ store }) => store.close(),
        () => undefined,
      );
    }
  }
}
