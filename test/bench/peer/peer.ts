import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { CensusError } from "#storage/errors.ts";
import { countOf } from "../counts.ts";
import { directorySize } from "../directory-size.ts";
import { fetchText } from "../http.ts";
import { processTree } from "../memory.ts";
import type { OraclePopulation } from "./population.ts";

const run = promisify(execFile);

/** How long PuppetDB may take to answer the first request, in ms. */
const ANSWER_WITHIN = 3000;

/** Seconds that PuppetDB may take to work off a whole population. */
const LOADED_WITHIN = 3600;

/** The first line of a file that a process keeps its number in. */
function readPid(file: string): number {
  return Number.parseInt(readFileSync(file, "utf8"), 10);
}

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
   * Looks whether PuppetDB answers at an address.
   * @param tools the folder with `load.mjs` and `reset.sh`
   */
  static async find(url: string, tools: string): Promise<Peer | undefined> {
    const answer = await fetch(`${url}/pdb/meta/v1/version`, { signal: AbortSignal.timeout(ANSWER_WITHIN) }).catch(
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
   * Empties its database. `reset.sh` empties only the PuppetDB that `up.sh` started.
   * @throws CensusError when this is another one, or when `reset.sh` fails
   */
  async empty(): Promise<void> {
    if ((await this.#home()) === undefined) {
      const known = `${this.#tools}/reset.sh can only empty what up.sh beside it has started`;
      throw new CensusError("bad-input", `${this.url} has to be empty or have the population, and ${known}`);
    }
    await run(join(this.#tools, "reset.sh"));
  }

  /** Sends it a population and waits until all of it is stored. */
  async load(population: OraclePopulation): Promise<void> {
    await this.loadInto(this.url, population);
  }

  /** The same for another server, in the same way. */
  async loadInto(url: string, { file }: OraclePopulation): Promise<void> {
    await run(process.execPath, [join(this.#tools, "load.mjs"), url, file, "--timeout", String(LOADED_WITHIN)]);
  }

  /** Its processes and those of its database; undefined unless `up.sh` has started it. */
  async processes(): Promise<number[] | undefined> {
    const home = await this.#home();
    if (home === undefined) return undefined;
    const pids = [join(home.path, "puppetdb.pid"), join(home.database, "postmaster.pid")].map(readPid);
    return pids.flatMap(processTree);
  }

  /** Bytes of its database, without the database server's log, and of its queue; undefined unless `up.sh` has started it. */
  async diskSize(): Promise<number | undefined> {
    const home = await this.#home();
    if (home === undefined) return undefined;
    const size = "select pg_database_size('puppetdb')";
    const database = Number(await this.#withTools(`pg_psql -d puppetdb -Atc "${size}"`));
    return database + directorySize(join(home.path, "var", "stockpile"));
  }

  /**
   * Lets it end and start again; its database runs on.
   * @returns seconds until its first answer; undefined unless `up.sh` has started it
   */
  async restart(): Promise<number | undefined> {
    if ((await this.#home()) === undefined) return undefined;
    await run(join(this.#tools, "down.sh"), ["--puppetdb-only"]);
    const { stderr } = await run(join(this.#tools, "up.sh"));
    return Number(/first answer after ([\d.]+) s/.exec(stderr)?.[1]);
  }

  /** Where it keeps its things; undefined when it is not the one that `up.sh` has started. */
  async #home(): Promise<{ readonly path: string; readonly database: string } | undefined> {
    const printed = await this.#withTools('printf "%s\\n" "$ORACLE_URL" "$ORACLE_HOME" "$PGDATA"');
    const [url = "", path = "", database = ""] = printed.split("\n");
    return URL.parse(url)?.href === new URL(this.url).href ? { path, database } : undefined;
  }

  /** What a command says that knows what the tools know. */
  async #withTools(command: string): Promise<string> {
    const { stdout } = await run("bash", ["-c", `. "$0/env.sh" && ${command}`, this.#tools]);
    return stdout.trim();
  }

  /** Which release it is. */
  async version(): Promise<string> {
    const { version } = JSON.parse(await fetchText(`${this.url}/pdb/meta/v1/version`)) as { version: string };
    return version;
  }
}
