/**
 * Sends requests to a running PuppetDB and to Census with the same population, and compares the answers: `npm run differential`.
 * The PuppetDB must contain the recorded population (`load.mjs` of the recordings).
 */
import { CensusError } from "#storage/errors.ts";
import { readCorpus } from "../conformance/corpus.ts";
import { type Client, openClient } from "../conformance/request.ts";
import { openSubject } from "../conformance/subject.ts";
import { judge } from "./judge.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { type ComparedRequest, requestsOf } from "./requests.ts";
import { readValues } from "./values.ts";

const [OK, DIFFERENT, UNUSABLE] = [0, 1, 2];

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args, process.env);
  if (options.help) {
    console.log(USAGE);
    return OK;
  }
  const [world] = readCorpus(options.oracle, "puppetdb").worlds;
  if (world === undefined) throw new CensusError("bad-file", `no population in ${options.oracle}`);
  const peer = openClient(options.peer);
  const subject = await openSubject(world);
  const own = openClient(subject.url);
  try {
    const sources = {
      values: await readValues(peer),
      recorded: world.recordings.map(({ request }) => request),
    };
    return await compareAll(requestsOf(options.kind, sources, options), { peer, own }, options);
  } finally {
    peer.close();
    own.close();
    await subject.close();
  }
}

async function compareAll(
  requests: readonly ComparedRequest[],
  { peer, own }: { readonly peer: Client; readonly own: Client },
  { show }: Options,
): Promise<number> {
  const groups = new Map<string, string[]>();
  const counts = { same: 0, "no model": 0, different: 0 };
  for (const compared of requests) {
    const { request, text } = compared;
    const verdict = judge(compared, await peer.send(request), await own.send(request));
    counts[verdict.kind]++;
    if (verdict.kind !== "different") continue;
    const lines = [text, ...verdict.differences.map((line) => `    ${line}`)];
    groups.set(verdict.group, [...(groups.get(verdict.group) ?? []), lines.join("\n")]);
  }
  for (const [group, found] of [...groups].sort(([, a], [, b]) => b.length - a.length)) {
    console.log([`${found.length} × ${group}`, ...found.slice(0, show).map((each) => `  ${each}`), ""].join("\n"));
  }
  console.log(
    `${requests.length} requests: ${counts.same} answers are the same, ${counts.different} differ; for ${counts["no model"]} PuppetDB failed`,
  );
  return counts.different === 0 ? OK : DIFFERENT;
}

async function run(): Promise<void> {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof CensusError ? `differential: ${error.message}` : error);
    process.exitCode = UNUSABLE;
  }
}

void run();
