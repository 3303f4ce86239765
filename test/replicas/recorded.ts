import { existsSync } from "node:fs";
import { compareAnswers } from "#test/conformance/compare.ts";
import { readCorpus, recordingsOf } from "#test/conformance/corpus.ts";
import { oracleFolder } from "#test/conformance/options.ts";
import { loadPopulation } from "#test/conformance/population.ts";
import { openClient } from "#test/conformance/request.ts";
import { isLeftOut } from "#test/left-out.ts";
import { byLength } from "#test/length.ts";

const oracle = oracleFolder(process.env);

const CORPUS = "puppetdb";

/** One of this number of recorded queries is compared. Where rows differ, so do the checksums of all that is stored. */
const EVERY = byLength({ short: 4, long: 1 });

/** Whether answers to recorded requests cannot be compared; says so. */
export function isWithoutRecordings(): boolean {
  return isLeftOut(
    "the answers of servers that share a log to recorded requests",
    existsSync(oracle) ? undefined : "there are no recordings",
  );
}

/**
 * Sends a server the nodes that the recorded requests are about.
 * @throws Error with the commands that were not stored
 */
export async function sendRecordedNodes(url: string): Promise<void> {
  const client = openClient(url);
  try {
    for (const { population } of readCorpus(oracle, CORPUS).worlds) {
      const refused = await loadPopulation(client, population);
      if (refused.length > 0) throw new Error(`not stored: ${refused.slice(0, 3).join("; ")}`);
    }
  } finally {
    client.close();
  }
}

/**
 * Compares what servers answer to recorded queries, all of them in a long test. Rows that a query does not order may come in any
 * order; a page must have the same rows on all servers.
 * @returns the number of queries, and a line for each answer that differs from that of the first server
 */
export async function compareServers(urls: readonly string[]): Promise<{ queries: number; different: string[] }> {
  const clients = urls.map(openClient);
  const different: string[] = [];
  const recordings = recordingsOf(readCorpus(oracle, CORPUS))
    .filter(({ request }) => request.path.startsWith("/pdb/query/v4"))
    .filter((_, index) => index % EVERY === 0);
  try {
    for (const { id, request, rules } of recordings) {
      const answers = await Promise.all(clients.map((client) => client.send(request)));
      const [first, ...others] = answers;
      const exact = { ...rules, mode: rules.mode === "count" ? "set" : rules.mode };
      for (const [index, other] of others.entries()) {
        const [difference] = first === undefined ? [] : compareAnswers(exact, first, other);
        if (difference !== undefined) different.push(`${id}, server ${index + 2}: ${difference}`);
      }
    }
  } finally {
    for (const client of clients) client.close();
  }
  return { queries: recordings.length, different };
}
