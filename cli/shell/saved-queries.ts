import { readFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { unreadable } from "#storage/archive/source.ts";
import type { QueryFile, SavedQuery } from "#storage/saved-queries/types.ts";
import { readGiven } from "../check/given.ts";
import { UsageError } from "../errors.ts";
import { writeTextAtomically } from "../output/atomic-file.ts";
import { unknownName } from "../unknown-name.ts";

/** A query that a prompt has run. */
export interface RanQuery {
  readonly language: "query" | "sql";
  readonly text: string;
}

/** The file of queries that a shell works with. It is read again for each use, so that it can be edited meanwhile. */
export class SavedQueries {
  #path: string | undefined;
  /** The names of the queries as they were read last, for completion. */
  names: readonly string[] = [];

  /**
   * Works with this file from now on.
   * @returns whether it exists; else it is made when a query is saved
   * @throws CensusError when it cannot be read, or is wrong; then nothing changes
   */
  async open(path: string): Promise<boolean> {
    const exists = existsSync(path);
    this.names = exists ? namesOf(await readSaved(path)) : [];
    this.#path = path;
    return exists;
  }

  /** The path of the file. @throws UsageError when there is none yet */
  get path(): string {
    if (this.#path === undefined) throw new UsageError("no file of queries is loaded; load one with \\i FILE");
    return this.#path;
  }

  async queries(): Promise<readonly SavedQuery[]> {
    const { path } = this;
    if (!existsSync(path)) return [];
    const file = await readSaved(path);
    this.names = namesOf(file);
    return file.queries;
  }

  /**
   * The query of a line such as `Few nodes failed max=3`.
   * @throws UsageError for an unknown name, or a parameter that is unknown or has no value
   */
  async find(line: string): Promise<SavedQuery> {
    const isNamed = ({ name }: SavedQuery): boolean => line === name || line.startsWith(`${name} `);
    // The longest name that fits: one may begin with another.
    const [found] = (await this.queries()).filter(isNamed).toSorted((a, b) => b.name.length - a.name.length);
    if (found === undefined) throw unknownName("", "query", line, this.names, "\\i lists the queries");
    const words = line
      .slice(found.name.length)
      .split(" ")
      .filter((word) => word !== "");
    const file = await readSaved(this.path, readGiven(words, "\\run: a parameter"));
    const query = file.queries.find(({ name }) => name === found.name) ?? found;
    const [unset] = query.unset;
    if (unset !== undefined)
      throw new UsageError(`parameter ${unset} has no value; use \\run ${found.name} ${unset}=VALUE`);
    return query;
  }

  /** Appends a query to the file, which is written atomically. */
  async save(name: string, { language, text }: RanQuery): Promise<void> {
    const { path } = this;
    const { withQuery } = await import("#storage/saved-queries/append.ts");
    const before = existsSync(path) ? await fileText(path) : "";
    const after = withQuery(path, before, { name, language, text });
    await writeTextAtomically(path, (output) => output.write(after));
    await this.queries();
  }
}

function namesOf({ queries }: QueryFile): string[] {
  return queries.map(({ name }) => name);
}

async function fileText(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: unknown) => {
    throw unreadable(path, error);
  });
}

/** @throws UsageError for a value of no parameter */
async function readSaved(path: string, given: ReadonlyMap<string, string> = new Map()): Promise<QueryFile> {
  const { readQueryFile } = await import("#storage/saved-queries/read.ts");
  const file = readQueryFile(path, await fileText(path), given);
  for (const name of given.keys()) {
    if (file.parameters.has(name)) continue;
    throw unknownName("", "parameter", name, [...file.parameters.keys()], `${path} does not have it`);
  }
  return file;
}
