import { rmSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { CensusError } from "#storage/errors.ts";
import { type CensusProcess, fromSource, startCensus } from "../census-process.ts";
import { runChild } from "../child.ts";
import type { LoadInput, LoadOutput } from "../children/load.ts";
import { fetchText } from "../http.ts";
import type { Options } from "../options.ts";
import { packedOrSource } from "../packed-or-source.ts";
import { benchFolder } from "../population.ts";
import { Peer } from "./peer.ts";
import { type OraclePopulation, oraclePopulation } from "./population.ts";

/** What Census' clock shows: a minute after the population's last run, so that every node is as active as it was. */
const NOW = "2026-11-20T12:01:00Z";

/** PuppetDB and Census, empty or with the same population, for scenarios that compare them. */
export class Rivals {
  readonly #options: Options;
  readonly #progress: (text: string) => void;
  #peer: Promise<Peer | undefined> | undefined;
  #population: Promise<OraclePopulation> | undefined;
  #census: CensusProcess | undefined;
  #holdPopulation = false;
  /** Directories that were made. */
  #made = 0;

  constructor(options: Options, progress: (text: string) => void) {
    this.#options = options;
    this.#progress = progress;
  }

  /** PuppetDB, if one answers. */
  async findPeer(): Promise<Peer | undefined> {
    return (this.#peer ??= Peer.find(this.#options.peer, this.#options.oracle));
  }

  /** What both are filled with. */
  async population(): Promise<OraclePopulation> {
    return (this.#population ??= oraclePopulation(this.#options.oracle, this.#options.nodes));
  }

  /** Both with the whole population; PuppetDB is left as it is where it has that already. */
  async withPopulation(): Promise<{ peer: Peer; census: CensusProcess }> {
    if (this.#census !== undefined && this.#holdPopulation)
      return { peer: await this.#needPeer(), census: this.#census };
    const peer = await this.#peerWithPopulation();
    const census = await this.censusWith((await this.population()).file);
    this.#holdPopulation = true;
    return { peer, census };
  }

  #directory(): string {
    return join(benchFolder, "data", `peer-${this.#options.nodes}-nodes-${++this.#made}`);
  }

  /** Both with the whole population, which Census has just been sent as well, in the way in which PuppetDB was. */
  async loaded(): Promise<{ peer: Peer; census: CensusProcess }> {
    const population = await this.population();
    const peer = await this.#peerWithPopulation();
    const census = await this.emptyCensus();
    this.#progress(`loading ${population.counts.nodes} nodes into Census over HTTP`);
    await peer.loadInto(census.url, population);
    this.#holdPopulation = true;
    return { peer, census };
  }

  /**
   * Ends Census and starts it over the same data, as its users do: the packaged program, where that has been made.
   * @returns seconds until its first answer
   */
  async restartCensus(): Promise<number> {
    if (this.#census === undefined) await this.withPopulation();
    const start = packedOrSource(this.#options.profile);
    const started = performance.now();
    await fetchText(`${(await this.censusAgain(start)).url}/pdb/meta/v1/version`);
    return (performance.now() - started) / 1000;
  }

  /** Ends Census and starts it over the same data. */
  async censusAgain(start = fromSource(this.#options.profile)): Promise<CensusProcess> {
    if (this.#census === undefined) throw new Error("Census has not been started");
    const { directory } = this.#census;
    await this.#census.close();
    this.#census = await startCensus(directory, NOW, start);
    return this.#census;
  }

  /**
   * Census over a new data directory that holds a population, which it was not sent but has imported.
   * @param file the population's
   */
  async censusWith(file: string): Promise<CensusProcess> {
    return this.emptyCensus(async (directory) => {
      await runChild<LoadOutput>("load", { file, directory, now: NOW } satisfies LoadInput, false);
    });
  }

  /**
   * Ends PuppetDB and starts it again, where that was allowed.
   * @returns seconds until its first answer
   */
  async restartPeer(): Promise<number | undefined> {
    return this.#options.restartPeer ? (await this.#needPeer()).restart() : undefined;
  }

  async #peerWithPopulation(): Promise<Peer> {
    const peer = await this.#needPeer();
    const population = await this.population();
    if (await peer.holds(population)) return peer;
    this.#progress(`loading ${population.counts.nodes} nodes into PuppetDB, which takes minutes`);
    await peer.empty();
    await peer.load(population);
    if (!(await peer.holds(population))) throw new CensusError("bad-file", "PuppetDB did not store the population");
    return peer;
  }

  /** To be called before either is sent anything besides the population. */
  changePopulation(): void {
    this.#holdPopulation = false;
  }

  /** PuppetDB without any data. */
  async emptyPeer(): Promise<Peer> {
    const peer = await this.#needPeer();
    this.#holdPopulation = false;
    await peer.empty();
    return peer;
  }

  /**
   * Census over a new data directory, in place of the one that ran.
   * @param fill puts something into the directory before Census starts
   */
  async emptyCensus(
    fill?: (directory: string) => Promise<void>,
    start = fromSource(this.#options.profile),
  ): Promise<CensusProcess> {
    await this.close();
    const directory = this.#directory();
    rmSync(directory, { recursive: true, force: true });
    await fill?.(directory);
    this.#census = await startCensus(directory, NOW, start);
    return this.#census;
  }

  /** Passes the running Census to the caller, which ends it; the next one is started anew. */
  handOver(): CensusProcess {
    const census = this.#census;
    if (census === undefined) throw new Error("Census has not been started");
    this.#census = undefined;
    this.#holdPopulation = false;
    return census;
  }

  /** Ends Census, whose data go as well; PuppetDB runs on. */
  async close(): Promise<void> {
    if (this.#census !== undefined) await ended(this.handOver());
  }

  async #needPeer(): Promise<Peer> {
    const peer = await this.findPeer();
    if (peer === undefined) throw new CensusError("bad-file", `no peer answers at ${this.#options.peer}`);
    return peer;
  }
}

/** Ends Census, whose data go as well. */
export async function ended(census: CensusProcess): Promise<void> {
  await census.close();
  rmSync(census.directory, { recursive: true, force: true });
}
