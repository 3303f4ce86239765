import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { SAMPLE } from "#test/cli/census.ts";
import { temporaryFolder } from "#test/fixture-folder.ts";
import { executable } from "#test/program.ts";

const isTried = executable !== undefined && process.platform === "linux" && process.getuid?.() === 0;
if (!isTried) process.stderr.write("not tried in a bare root directory: for root, and the packaged program\n");

/** What the program and the engine's library want of the system, as its loader says. */
const libraries = ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "libstdc++.so.6", "libgcc_s.so.1"];

/** Puts the system's C libraries and their loader where they are looked for. */
function furnish(root: string): void {
  const cache = execFileSync("ldconfig", ["-p"], { encoding: "utf8", env: { PATH: "/sbin:/usr/sbin:/bin:/usr/bin" } });
  for (const name of [...libraries, "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"]) {
    const path = cache
      .split("\n")
      .find((line) => line.trim().startsWith(`${name} `))
      ?.split(" => ")[1];
    if (path === undefined) continue;
    // The loader's own place is written in the program.
    const places = name.startsWith("ld-") ? [path, `/lib64/${name}`, `/lib/${name}`] : [path];
    for (const place of new Set(places)) {
      mkdirSync(join(root, dirname(place)), { recursive: true });
      copyFileSync(realpathSync(path), join(root, place));
      chmodSync(join(root, place), 0o755);
    }
  }
}

it.skipIf(!isTried)("runs in a root directory with nothing but the C libraries, not even /proc", async () => {
  await using folder = await temporaryFolder();
  const root = folder.path;
  furnish(root);
  copyFileSync(executable ?? "", join(root, "census"));
  copyFileSync(SAMPLE, join(root, "sample.tgz"));
  mkdirSync(join(root, "tmp"));
  const chroot = ["/usr/sbin/chroot", "/sbin/chroot"].find((path) => spawnSync(path, ["--version"]).status === 0) ?? "";
  const inside = (...words: readonly string[]) =>
    spawnSync(chroot, [root, "/census", ...words], { env: {}, cwd: "/", encoding: "utf8" });

  expect(inside("--version")).toMatchObject({ status: 0, stderr: "" });
  expect(inside("import", "/sample.tgz", "--data", "/data")).toMatchObject({ status: 0, stderr: "" });
  const queried = inside("query", "nodes[count()]{}", "--data", "/data", "--output", "csv");
  expect(queried).toMatchObject({ status: 0, stdout: "count\n40\n", stderr: "" });

  const words = [root, "/census", "serve", "--data", "/data", "--port", "0"];
  const server = spawn(chroot, words, { env: {}, cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(server, "close");
  let url: string | undefined;
  for await (const line of createInterface({ input: server.stdout })) {
    url = /^Census is ready on (\S+)/.exec(line)?.[1];
    if (url !== undefined) break;
  }
  for (const path of ["/pdb/query/v4/nodes", "/status/v1/services", "/metrics"]) {
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 200]);
  }
  server.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
});
