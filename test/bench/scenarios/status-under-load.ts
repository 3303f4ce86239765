import { join } from "node:path";
import type { PopulationCommand } from "#test/conformance/population.ts";
import * as payloads from "#test/storage/wire/payloads.ts";
import type { Bench } from "../bench.ts";
import type { PollInput, PollOutput } from "../children/poll.ts";
import type { PostInput, PostOutput } from "../children/post.ts";
import { benchFolder } from "../population.ts";
import { writeRequests } from "../requests.ts";
import { SampleBook, type Samples } from "../scenario.ts";
import { percentile } from "../statistics.ts";

/** Resources of the large catalog, which make it 10 MB, and of each of the others. */
const LARGE = 14_000;
const SMALL = 20;

/** The others, sent by this many connections while the large one is being stored. */
const OTHERS = 1000;
const CONNECTIONS = 8;

/** How long the status is requested, in ms: longer than the commands take. */
const DURATION = 8000;

/** How long requests for the status wait in a service that stores a catalog of 10 MB and 1,000 others. */
export async function measureStatusUnderLoad(bench: Bench): Promise<Samples> {
  const book = new SampleBook();
  const file = join(benchFolder, "status-under-load.ndjson");
  const commands = Array.from({ length: OTHERS + 1 }, (_, index) => catalog(index, index === 0 ? LARGE : SMALL));
  writeRequests(file, commands);
  const stored = { entity: "catalogs", count: commands.length };
  for (let run = 0; run < bench.runs; run++) {
    const { url } = await bench.rivals.emptyCensus();
    const poll: PollInput = { url, path: "/status/v1/simple", pause: 2, duration: DURATION };
    const post: PostInput = { url, file, connections: CONNECTIONS, stored };
    const [{ answers }, { storedSeconds }] = await Promise.all([
      bench.run<PollOutput>("poll", poll),
      bench.run<PostOutput>("post", post),
    ]);
    book.add("slowest answer", Math.max(...answers));
    book.add("99th percentile", percentile(answers, 0.99));
    book.add("stored after", storedSeconds);
  }
  return book.samples();
}

/** A catalog of its own: no resource is shared with another. */
function catalog(index: number, size: number): PopulationCommand {
  const certname = `node-${index}.example.com`;
  const files = Array.from({ length: size }, (_, number) =>
    payloads.fileResource({
      title: `/etc/node-${index}/file-${number}`,
      line: number,
      tags: ["file", "class", "profile::base", `role-${number % 50}`],
      parameters: {
        ensure: "file",
        owner: "root",
        mode: "0644",
        content: `line ${number} of node ${index}; `.repeat(20),
      },
    }),
  );
  const edges = files.map(({ title }) => ({
    source: { type: "Class", title: "Main" },
    target: { type: "File", title: title ?? "" },
    relationship: "contains",
  }));
  const payload = payloads.catalog({ certname, resources: [payloads.classResource(), ...files], edges });
  return { command: "replace_catalog", version: "9", certname, payload: JSON.stringify(payload) };
}
