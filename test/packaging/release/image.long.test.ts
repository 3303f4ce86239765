import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { zstdDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ownTarget } from "#packaging/executable/targets.ts";
import { releaseFiles } from "#packaging/release/files.ts";
import { writeImage } from "#packaging/release/image.ts";
import { hasLibraries, imageUser } from "#packaging/release/image-files.ts";
import { imagePath } from "#packaging/release/release.ts";
import { SAMPLE, workFolder } from "#test/cli/census.ts";
import { isLeftOut } from "#test/left-out.ts";
import { executable } from "#test/program.ts";

const folder = workFolder();
const run = (program: string, ...words: readonly string[]): SpawnSyncReturns<string> =>
  spawnSync(program, words, { encoding: "utf8", cwd: "/" });
const noSkopeo = run("skopeo", "--version").status === 0 ? undefined : "apt-get install skopeo";
const isRead = !isLeftOut("the image in skopeo", noSkopeo, "CENSUS_WITHOUT_PACKAGERS");

/** The content of an image, by what skopeo and its own files say of it. */
function unpack(image: string, name: string): { root: string; config: Record<string, unknown>; size: number } {
  const layout = join(folder, `${name}-layout`);
  mkdirSync(layout);
  expect(run("tar", "-xf", image, "-C", layout).status).toBe(0);
  const blob = (digest: string) => readFileSync(join(layout, "blobs", digest.replace(":", "/")));
  const parsed = (digest: string): unknown => JSON.parse(blob(digest).toString());
  const index = JSON.parse(readFileSync(join(layout, "index.json"), "utf8")) as { manifests: { digest: string }[] };
  const list = parsed(index.manifests[0]?.digest ?? "") as { manifests: { digest: string }[] };
  const manifest = parsed(list.manifests[0]?.digest ?? "") as Record<"config" | "layers", never>;
  const { digest } = manifest["config"] as { digest: string };
  const [layer] = manifest["layers"] as { digest: string; size: number }[];
  const root = join(folder, `${name}-root`);
  mkdirSync(root);
  writeFileSync(`${root}.tar`, zstdDecompressSync(blob(layer?.digest ?? "")));
  expect(run("tar", "--same-owner", "-xpf", `${root}.tar`, "-C", root).status).toBe(0);
  return { root, config: (parsed(digest) as Record<"config", never>)["config"], size: layer?.size ?? 0 };
}

describe.skipIf(ownTarget === undefined || !hasLibraries(ownTarget) || executable !== undefined)("an image", () => {
  it("is the same bytes in each build, and skopeo reads it in both formats", async () => {
    if (ownTarget === undefined) throw new Error("no executable is made for this platform");
    const program = join(folder, "program");
    writeFileSync(program, "a program");
    const images = [];
    for (const name of ["first.tar", "second.tar"]) {
      const files = await releaseFiles(ownTarget, program, ["node_modules/h3"]);
      const path = join(folder, name);
      await writeImage(path, [{ target: ownTarget, files }], { seconds: 1_700_000_000, isQuick: true });
      images.push(readFileSync(path).toString("base64"));
    }
    expect(images[1] === images[0]).toBe(true);
    const image = join(folder, "first.tar");
    const formats = isRead ? ["oci-archive", "docker-archive"] : [];
    for (const format of formats) {
      const { stdout, stderr } = run("skopeo", "inspect", "--config", `${format}:${image}`);
      expect(stderr).toBe("");
      expect(JSON.parse(stdout)).toMatchObject({ os: "linux", config: { User: `${imageUser}:${imageUser}` } });
    }
    const { root } = unpack(image, "small");
    const files = run("find", root, "-type", "f", "-printf", "%P\n")
      .stdout.trim()
      .split("\n")
      .map((path) => path.split("/")[0]);
    expect(new Set(files)).toEqual(
      new Set(["etc", "lib", ...(existsSync(join(root, "lib64")) ? ["lib64"] : []), "usr"]),
    );
  });
});

const isBuilt = executable !== undefined && existsSync(imagePath) && process.getuid?.() === 0;

describe.skipIf(!isBuilt)("the image with the packaged program", () => {
  it("serves as its user with a root directory that it cannot write to, and passes its health check", async () => {
    const { root, config, size } = unpack(imagePath, "built");
    // A quick build compresses less.
    expect(size).toBeLessThan(66e6);
    chmodSync(join(root, "tmp"), 0o555);
    const { Env, Entrypoint, Cmd, Healthcheck } = config as Record<string, string[]> & {
      Healthcheck: { Test: string[] };
    };
    const user = ["chroot", `--userspec=${imageUser}:${imageUser}`, root, "/usr/bin/census"];
    const env = Object.fromEntries((Env ?? []).map((line) => line.split(/=(.*)/s).slice(0, 2))) as NodeJS.ProcessEnv;
    const inside = (...words: string[]) =>
      spawnSync("/usr/sbin/chroot", [...user.slice(1), ...words], { env, encoding: "utf8" });
    writeFileSync(join(root, "sample.tgz"), readFileSync(SAMPLE));
    expect(inside("import", "/sample.tgz", "--data", "/var/lib/census")).toMatchObject({ status: 0 });
    expect(inside("self-check", "--output", "json").stdout).toContain("census.sha256: 1 checked, no difference");
    expect(Entrypoint).toEqual(["/usr/bin/census"]);
    // Another program may use the port of the image.
    const words = [
      ...user.slice(1),
      ...(Cmd ?? []).map((word) => (word === "0.0.0.0" ? "127.0.0.1" : word)),
      "--port",
      "0",
    ];
    const server = spawn("/usr/sbin/chroot", words, { env, stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(server, "close");
    let url: string | undefined;
    for await (const line of createInterface({ input: server.stdout })) {
      url = /^Census is ready on (\S+)/.exec(line)?.[1];
      if (url !== undefined) break;
    }
    try {
      const nodes = (await (await fetch(`${url}/pdb/query/v4/nodes`)).json()) as unknown[];
      expect(nodes).toHaveLength(40);
      const [, , ...health] = Healthcheck.Test;
      expect(inside(...health.map((word) => word.replace("http://127.0.0.1:8080", url ?? "")))).toMatchObject({
        status: 0,
      });
    } finally {
      server.kill("SIGTERM");
    }
    expect((await ended)[0]).toBe(0);
  });
});
