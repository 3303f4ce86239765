import { readdir, readFile, stat } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { CensusError, messageOf } from "#storage/errors.ts";
import type { FileContents } from "./given.ts";
import { readHocon } from "./hocon.ts";
import { readIni } from "./ini.ts";

type Reader = (text: string, path: string, env: NodeJS.ProcessEnv) => FileContents;

/** How each kind of file is read. HOCON is what JSON is a part of. */
const readers: Readonly<Record<string, Reader>> = { ".ini": readIni, ".conf": readHocon, ".json": readHocon };

/** Files that PuppetDB would read as well and that are not read here: passing them over would lose settings. */
const unread = new Set([".yaml", ".yml", ".edn", ".properties"]);

const spelled = Object.keys(readers)
  .map((extension) => `*${extension}`)
  .join(", ");

/**
 * Reads a configuration: a file, or the files of a folder in the order of their names (`reference/config.md §1`).
 * @param env the variables that the files may refer to
 * @throws CensusError "bad-file" when it cannot be read at all
 */
export async function readConfiguration(path: string, env: NodeJS.ProcessEnv): Promise<FileContents> {
  const contents = [];
  for (const file of await filesOf(resolve(path))) contents.push(await readConfigurationFile(file, env));
  return {
    given: contents.flatMap(({ given }) => given),
    problems: contents.flatMap(({ problems }) => problems),
  };
}

async function filesOf(path: string): Promise<string[]> {
  const isFolder = await readable(path, async () => (await stat(path)).isDirectory());
  if (!isFolder) return [path];
  const names = await readable(path, () => readdir(path));
  const files = names.filter((name) => Object.hasOwn(readers, extname(name)) || unread.has(extname(name))).sort();
  if (files.length === 0) throw new CensusError("bad-file", `${path}: contains no ${spelled}`);
  return files.map((name) => join(path, name));
}

async function readConfigurationFile(path: string, env: NodeJS.ProcessEnv): Promise<FileContents> {
  const read = Object.hasOwn(readers, extname(path)) ? readers[extname(path)] : undefined;
  if (read === undefined) {
    return { given: [], problems: [`${path}: unsupported format; use one of ${spelled}`] };
  }
  return read(await readable(path, () => readFile(path, "utf8")), path, env);
}

async function readable<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    const reason = isMissing ? "does not exist" : messageOf(error);
    throw new CensusError("bad-file", `${path}: cannot read the configuration: ${reason}`, { cause: error });
  }
}
