import { readArchive } from "#storage/archive/contents.ts";
import type { Bench } from "../bench.ts";
import type { DownloadInput, DownloadOutput } from "../children/download.ts";
import type { SendArchiveInput, SendArchiveOutput } from "../children/send-archive.ts";
import { archiveOf, populationOf } from "../population.ts";
import { SampleBook, type Samples, type Scenario } from "../scenario.ts";
import { ARCHIVE } from "./export.ts";

/** As many as the bars speak of. PuppetDB takes minutes to take them in, and one or two to export them. */
const PEER_NODES = 1000;

/** What is noted of each, a sample for each repetition. */
type Book = Readonly<Record<"import" | "export" | "size", SampleBook>>;

/** Both take the same archive in and export what they have then. The first scenario measures for all. */
export function peerArchiveScenarios(): Scenario[] {
  let measured: Promise<Book> | undefined;
  const samplesOf = async (bench: Bench, name: keyof Book): Promise<Samples> =>
    (await (measured ??= compareArchives(bench)))[name].samples();
  return [
    {
      name: "peer-archives/import",
      shows: `an archive of ${PEER_NODES} nodes, whatever --nodes says, until everything is queryable; once`,
      needsPeer: true,
      metrics: {
        peer: { unit: "commands/s" },
        Census: { unit: "commands/s" },
        ratio: { unit: "ratio" },
      },
      measure: (bench) => samplesOf(bench, "import"),
    },
    {
      name: "peer-archives/export",
      shows: `all of it, as an archive: ${PEER_NODES} nodes`,
      needsPeer: true,
      metrics: {
        peer: { unit: "seconds" },
        Census: { unit: "seconds" },
        ratio: { unit: "ratio" },
      },
      measure: (bench) => samplesOf(bench, "export"),
    },
    {
      name: "peer-archives/size",
      shows: "of the archives that were exported",
      needsPeer: true,
      metrics: {
        peer: { unit: "bytes" },
        Census: { unit: "bytes" },
        ratio: { unit: "ratio" },
      },
      measure: (bench) => samplesOf(bench, "size"),
    },
  ];
}

/**
 * Both begin empty and export by turns, so that other work of the machine affects both alike. No node is deactivated:
 * PuppetDB's export would end after the first member of such a node.
 */
async function compareArchives(bench: Bench): Promise<Book> {
  const archive = await archiveOf(populationOf(PEER_NODES), (path) => bench.progress(`making ${path}`));
  const { commands, factsets } = await contentOf(archive);
  const stored = { entity: "factsets", count: factsets };
  const book = { import: new SampleBook(), export: new SampleBook(), size: new SampleBook() };
  const [peer, census] = [await bench.rivals.emptyPeer(), await bench.rivals.emptyCensus()];
  const taken = async (url: string): Promise<number> => {
    const input: SendArchiveInput = { url, archive, stored };
    return commands / (await bench.run<SendArchiveOutput>("send-archive", input)).stored;
  };
  const exported = (url: string): Promise<DownloadOutput> => {
    const input: DownloadInput = { url: url + ARCHIVE };
    return bench.run<DownloadOutput>("download", input);
  };
  const [slow, fast] = [await taken(peer.url), await taken(census.url)];
  bench.progress(`import: peer ${slow.toFixed(0)}/s, Census ${fast.toFixed(0)}/s`);
  note(book.import, slow, fast, fast / slow);
  // The first time each is not counted: what is compiled and cached is not what is measured.
  for (let run = 0; run <= bench.runs; run++) {
    const [theirs, ours] = [await exported(peer.url), await exported(census.url)];
    bench.progress(
      `export ${run}/${bench.runs}: peer ${theirs.seconds.toFixed(1)} s, Census ${ours.seconds.toFixed(1)} s`,
    );
    if (run === 0) continue;
    note(book.export, theirs.seconds, ours.seconds, theirs.seconds / ours.seconds);
    note(book.size, theirs.bytes, ours.bytes, ours.bytes / theirs.bytes);
  }
  return book;
}

async function contentOf(archive: string): Promise<{ commands: number; factsets: number }> {
  const content = { commands: 0, factsets: 0 };
  for await (const { command } of readArchive(archive)) {
    content.commands++;
    if (command === "replace facts") content.factsets++;
  }
  return content;
}

function note(book: SampleBook, peer: number, census: number, ratio: number): void {
  book.add("peer", peer);
  book.add("Census", census);
  book.add("ratio", ratio);
}
