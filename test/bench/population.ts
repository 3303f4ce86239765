import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { archiveMembers, type ArchiveMember } from "#fixtures/archive.ts";
import { populationCommands, type PopulationOptions } from "#fixtures/population.ts";
import { writeArchiveFile } from "#storage/archive/write.ts";

/** Where everything that a benchmark makes is kept; not under version control. */
export const benchFolder = resolve(import.meta.dirname, "../../dist/bench");

/** Which of all possible populations. */
export const SEED = 1;

/** The population that is measured: of middling size in every way but the number of nodes. */
export function populationOf(nodes: number): PopulationOptions {
  return {
    nodes,
    seed: SEED,
    reportsPerNode: 8,
    baseTime: "2026-11-20T12:00:00.000Z",
    factLeaves: 400,
    resources: 500,
  };
}

/**
 * The population as an export archive. Made once: its name has a digest of the options and of
 * the fixtures' source, so that a change of either makes another file.
 * @param onMade called before the file is made, if it does not exist yet
 * @returns its path
 */
export async function archiveOf(population: PopulationOptions, onMade: (path: string) => void): Promise<string> {
  const made = createHash("sha1").update(JSON.stringify(population)).update(fixtureSources()).digest("hex");
  const path = join(benchFolder, "archives", `${population.nodes}-nodes-${made.slice(0, 10)}.tgz`);
  if (existsSync(path)) return path;
  onMade(path);
  mkdirSync(dirname(path), { recursive: true });
  const timestamp = population.baseTime;
  const members = archiveMembers((only) => populationCommands({ ...population, only }), { timestamp });
  await writeArchiveFile(path, eventually(members), { format: "tar.gz", mtime: new Date(timestamp) });
  return path;
}

/** The source that made-up nodes come from. */
export function fixtureSources(): string {
  const folder = resolve(import.meta.dirname, "../../fixtures");
  return globSync("*.ts", { cwd: folder })
    .sort()
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\0");
}

async function* eventually(members: Iterable<ArchiveMember>): AsyncGenerator<ArchiveMember> {
  yield* members;
}
