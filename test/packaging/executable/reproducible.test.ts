import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { executable } from "#test/program.ts";
import { bundleProgram } from "../../../packaging/executable/bundle.ts";
import { makeExecutable } from "../../../packaging/executable/executable.ts";
import { explorerFiles } from "../../../packaging/explorer/files.ts";
import { writePopulation } from "../../../packaging/population.ts";
import { ownTarget } from "../../../packaging/executable/targets.ts";

it.skipIf(executable === undefined || ownTarget === undefined)(
  "the executable is the same when it is made again",
  async () => {
    if (executable === undefined || ownTarget === undefined) return;
    await using folder = await temporaryFolder();
    const again = join(folder.path, "made/again");
    const population = join(folder.path, "population");
    await writePopulation(population);
    const { files: pages } = await explorerFiles();
    await makeExecutable(ownTarget, { bundle: await bundleProgram(), population, pages }, again);
    // Not with toEqual, which would print 130 MB.
    expect(readFileSync(again).equals(readFileSync(executable))).toBe(true);
  },
  240_000,
);
