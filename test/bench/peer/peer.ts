import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CensusError } from "#storage/errors.ts";
import { countOf } from "../counts.ts";
import { ask } from "../http.ts";
import type { OraclePopulation } from "./population.ts";

const run = promisify(execFile);

/** How long a peer has to say that it is there, in ms. */
const PATIENCE = 3000;

/** Seconds that the peer may take to work off a whole population. */
const LOADED_WITHIN = 3600;

/** A running PuppetDB, with the tools that fill and empty it. */
export class Peer {
  /** without a slash at the end */
  readonly url: string;
  readonly #tools: string;

  private constructor(url: string, tools: string) {
    this.url = url;
    this.#tools = tools;
  }

  /**
   * Looks whether a peer answers there.
   * @param tools the folder with `load.mjs` and `reset.sh`
   */
  static async find(url: string, tools: string): Promise<Peer | undefined> {
    const answer = await fetch(`${url}/pdb/meta/v1/version`, { signal: AbortSignal.timeout(PATIENCE) }).catch(
      () => undefined,
    );
    return answer?.ok === true && existsSync(join(tools, "load.mjs")) ? new Peer(url, tools) : undefined;
  }

  /** Whether it has this population and nothing else, judged by numbers and by the newest fact set. */
  async holds({ counts, newestFacts }: OraclePopulation): Promise<boolean> {
    for (const [entity, count] of Object.entries(counts)) {
      if ((await countOf(this.url, entity)) !== count) return false;
    }
    return (await countOf(this.url, "factsets", newestFacts)) === 1;
  }

  /**
   * Empties its database. `reset.sh` knows one peer only, the one that `up.sh` started.
   * @throws CensusError when this is another one, or when `reset.sh` fails
   */
  async empty(): Promise<void> {
    const { stdout } = await run("bash", ["-c", '. "$0/env.sh" && echo "$ORACLE_URL"', this.#tools]);
    if (new URL(stdout.trim()).href !== new URL(this.url).href) {
      const known = `${this.#tools}/reset.sh can only empty ${stdout.trim()}`;
      throw new CensusError("bad-input", `${this.url} has to be empty or hold the population, and ${known}`);
    }
    await run(join(this.#tools, "reset.sh"));
  }

  /** Sends it a population and waits until all of it is stored. */
  async load({ file }: OraclePopulation): Promise<void> {
    await run(process.execPath, [join(this.#tools, "load.mjs"), this.url, file, "--timeout", String(LOADED_WITHIN)]);
  }

  /** Which release it is. */
  async version(): Promise<string> {
    const { version } = JSON.parse(await ask(`${this.url}/pdb/meta/v1/version`)) as { version: string };
    return version;
  }
}
