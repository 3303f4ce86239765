import { setTimeout as delay } from "node:timers/promises";
import { performance } from "node:perf_hooks";
import { awaitIdle } from "../awaiting.ts";
import type { Bench } from "../bench.ts";
import { Fleet } from "../fleet/fleet.ts";
import { subjectOf, subjectPages } from "../pages/addresses.ts";
import { type PageRequest, requestsOfPages } from "../pages/page-requests.ts";
import type { WireCommand } from "../posting.ts";
import { SampleBook, type Samples, type Scenario } from "../scenario.ts";
import { statisticsOf } from "../statistics.ts";
import { WireConnection } from "../wire.ts";
import { CONNECTIONS, sendAll } from "./pages.ts";

/** People who open a page each, look at it for this long, and open another. */
const PEOPLE = 10;
const LOOKING_MS = 4000;

/** Commands a second, and how many nodes send them. */
const RATE = 100;
const SENDERS = 500;

/** Ten people beside commands, compared with people alone and commands alone. */
export const tenPeople: Scenario = {
  name: "explorer/ten people",
  shows: `${PEOPLE} people who each open a page every ${LOOKING_MS / 1000} s, while ${RATE} commands a second arrive`,
  metrics: {
    "a page, alone, 95th percentile": { unit: "milliseconds" },
    "a page, beside commands, 95th percentile": { unit: "milliseconds" },
    "a page, beside commands/alone": { unit: "ratio" },
    "accepted, alone": { unit: "commands/s" },
    "accepted, beside people": { unit: "commands/s" },
    "accepted, beside people/alone": { unit: "ratio" },
  },
  measure: measurePeople,
};

async function measurePeople(bench: Bench): Promise<Samples> {
  const { url } = (await bench.server()).value;
  const pages = await pagesOf(url);
  if (pages.length === 0) return {};
  const commands = endless(new Fleet(SENDERS));
  const duration = bench.browsing * 1000;
  // The code that stores commands is compiled first.
  await feed(url, commands, duration);
  const book = new SampleBook();
  for (let run = 1; run <= bench.runs; run++) {
    const alone = statisticsOf(await browse(url, pages, duration)).p95;
    const acceptedAlone = await feed(url, commands, duration);
    const [times, accepted] = await Promise.all([browse(url, pages, duration), feed(url, commands, duration)]);
    const beside = statisticsOf(times).p95;
    book.add("a page, alone, 95th percentile", alone);
    book.add("a page, beside commands, 95th percentile", beside);
    book.add("a page, beside commands/alone", beside / alone);
    book.add("accepted, alone", acceptedAlone);
    book.add("accepted, beside people", accepted);
    book.add("accepted, beside people/alone", accepted / acceptedAlone);
    bench.progress(
      `ten people, ${run}/${bench.runs}: ${times.length} pages opened, 95% within ${beside.toFixed(0)} ms; ` +
        `${accepted.toFixed(1)} commands/s accepted`,
    );
  }
  return book.samples();
}

/** What each page requests; none where there is no browser. */
async function pagesOf(url: string): Promise<(readonly PageRequest[])[]> {
  const recorded = await requestsOfPages(url, subjectPages(await subjectOf(url)));
  return [...(recorded?.values() ?? [])].flatMap((requests) => (requests instanceof Error ? [] : [requests]));
}

function* endless(fleet: Fleet): Generator<WireCommand, never> {
  for (let run = 0; ; run++) yield* fleet.run(run);
}

/**
 * Sends commands at a steady pace, fewer if the server accepts fewer.
 * @returns how many a second were stored
 */
async function feed(url: string, commands: Generator<WireCommand, never>, duration: number): Promise<number> {
  const began = performance.now();
  let [sent, accepted] = [0, 0];
  const send = async (): Promise<void> => {
    const connection = await WireConnection.open(url);
    for (;;) {
      const due = began + (sent++ * 1000) / RATE;
      if (due > began + duration || performance.now() > began + duration) break;
      await delay(Math.max(0, due - performance.now()));
      const { target, body } = commands.next().value;
      const { status, body: text } = await connection.post(target, body);
      if (status !== 200) throw new Error(`${target}: ${status} ${text.toString().slice(0, 300)}`);
      accepted++;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  // What is accepted and not stored yet counts as time.
  await awaitIdle(url);
  return accepted / ((performance.now() - began) / 1000);
}

/** Opens pages in turn, each person another one first. @returns how long each page's requests took, ms */
async function browse(
  url: string,
  pages: readonly (readonly PageRequest[])[],
  duration: number,
): Promise<readonly number[]> {
  const end = performance.now() + duration;
  const times: number[] = [];
  const person = async (number: number): Promise<void> => {
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, async () => WireConnection.open(url)));
    await delay((number * Math.min(LOOKING_MS, duration)) / PEOPLE);
    for (let page = number; performance.now() < end; page++) {
      const began = performance.now();
      await sendAll(connections, pages[page % pages.length] ?? []);
      times.push(performance.now() - began);
      await delay(LOOKING_MS);
    }
    for (const connection of connections) connection.close();
  };
  await Promise.all(Array.from({ length: PEOPLE }, async (_, number) => person(number)));
  return times;
}
