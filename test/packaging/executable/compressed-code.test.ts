import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { expect, it } from "vitest";
import { withCompressedCode } from "#packaging/executable/compressed-code.ts";
import { cachedAsset, codeAsset, compressedAsset } from "#packaging/executable/inside/code.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";

const pieces = new Map([
  ["main.js", "(function(){first()})"],
  ["later.js", "(function(){second()})"],
]);
const embedded = { "loader.js": "/l", [codeAsset("main.js")]: "/m", [codeAsset("later.js")]: "/s" };

it("compresses the code that a start does not load, and nothing else", async () => {
  await using folder = await temporaryFolder();
  const assets = withCompressedCode(pieces, embedded, { [cachedAsset("main.js")]: "/c" }, folder.path);
  const path = join(folder.path, compressedAsset("later.js"));
  expect(assets).toEqual({ "loader.js": "/l", [codeAsset("main.js")]: "/m", [compressedAsset("later.js")]: path });
  expect(inflateRawSync(readFileSync(path)).toString()).toBe(pieces.get("later.js"));
});

it("compresses nothing where no code cache was recorded", async () => {
  await using folder = await temporaryFolder();
  expect(withCompressedCode(pieces, embedded, {}, folder.path)).toEqual(embedded);
});
