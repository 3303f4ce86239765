import { spawnSync } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { UploadFolder } from "#app/archive/upload-folder.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

afterEach(() => vi.unstubAllEnvs());

it("deletes files that a killed process left in the folder for temporary files, and no others", async () => {
  await using temporary = await temporaryFolder();
  vi.stubEnv("TMPDIR", temporary.path);
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const others = [`census-upload-${process.pid}-abcdef`, "census-upload-abcdef", "other"];
  for (const name of [`census-upload-${pid}-abcdef`, ...others]) {
    await mkdir(join(temporary.path, name));
    await writeFile(join(temporary.path, name, "archive"), "half of it");
  }
  const uploads = new UploadFolder(undefined);
  await expect.poll(async () => (await readdir(temporary.path)).sort()).toEqual(others.sort());
  await uploads.use(async (path) => writeFile(path, "an archive"));
  expect((await readdir(temporary.path)).sort()).toEqual(others.sort());
});

it("deletes files that a killed process left in a data directory", async () => {
  await using data = await temporaryFolder();
  const folder = join(data.path, "uploads");
  await mkdir(join(folder, "archive-abcdef"), { recursive: true });
  const uploads = new UploadFolder(folder);
  expect(await readdir(data.path)).toEqual([]);
  await expect(
    uploads.use(async (path) => {
      await writeFile(path, "an archive");
      throw new Error("refused");
    }),
  ).rejects.toThrow("refused");
  expect(await readdir(folder)).toEqual([]);
});
