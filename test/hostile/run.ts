/**
 * Attacks a server with random requests: `npm run hostile`. Exits with 0 when nothing was found, with 1 when something
 * was, with 2 when the options cannot be used.
 */
import { exitCode, runMain } from "#test/campaign/main.ts";
import { Campaign, type Result } from "./campaign.ts";
import { reproduction } from "./findings.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { foreignSubject, ownSubject } from "./subject.ts";

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  if (options.help) {
    console.log(USAGE);
    return exitCode.ok;
  }
  const { url, memory } = options;
  const subject = url === undefined ? await ownSubject(memory) : await foreignSubject(url);
  const result = await new Campaign(subject, { ...options, progress: (line) => console.error(line) }).run();
  report(result, options);
  return result.findings.size === 0 ? exitCode.ok : exitCode.found;
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`;

function report(result: Result, { seed, row }: Options): void {
  const { sent, seconds, status, memory, statuses, unavailable, restarts, unexplained, findings } = result;
  const summary = `${sent} requests with seed ${seed} in ${Math.round(seconds)} s: ${findings.size} findings`;
  for (const [number, { finding, count }] of findings.list().entries()) {
    console.log(`\n${number + 1}. ${finding.key}: ${count} times, first with request ${finding.index}`);
    console.log(`   ${finding.detail.split("\n").slice(0, 3).join("\n   ").slice(0, 600)}`);
    if (finding.attack !== undefined)
      console.log(`   ${reproduction(finding.attack, `${seed}-${number + 1}`).slice(0, 2000)}`);
  }
  console.log(`\n${summary}`);
  console.log(
    `answers: ${[...statuses]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([name, count]) => `${name} ${count}`)
      .join(", ")}`,
  );
  for (const [text, count] of unavailable) console.log(`503 on purpose, ${count} times: ${text}`);
  console.log(
    `/status: median ${status.median} ms, 99th percentile ${status.p99} ms, longest ${status.longest} ms of ${status.count}; ${unexplained} slow answers not repeated`,
  );
  console.log(
    `memory: ${megabytes(memory.before)} after 1000 requests, at most ${megabytes(memory.most)}, ${megabytes(memory.after)} at the end`,
  );
  console.log(`restarts: ${restarts}`);
  if (findings.size > 0) console.log(`written to ${findings.write(seed, summary)}`);
  if (!row) return;
  const cells = [
    sent.toLocaleString("en"),
    findings.size,
    restarts,
    `${status.p99} ms`,
    `${status.longest} ms`,
    megabytes(memory.before),
    megabytes(memory.after),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

void runMain("hostile", main);
