import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What pkg calls a Node by. */
export interface CachedNode {
  readonly version: string;
  readonly platform: "linux" | "macos" | "win";
  readonly arch: "x64" | "arm64";
}

/**
 * Puts a Node into the cache that pkg has below a home folder, as if it had downloaded, checked and unpacked it: pkg's
 * back end asks nobody for what is there, and so works without a network, for other platforms as well.
 */
export function putIntoPkgCache(home: string, { version, platform, arch }: CachedNode, program: Uint8Array): void {
  const os = platform === "macos" ? "darwin" : platform;
  const name = `node-v${version}-${os}-${arch}`;
  const cache = join(home, ".pkg-cache/sea");
  const archive = join(cache, `${name}.${os === "win" ? "zip" : "tar.gz"}`);
  const file = os === "win" ? join(cache, `${name}.exe`) : join(cache, name, "bin/node");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, program, { mode: 0o755 });
  // Whether an archive has been checked and unpacked, pkg sees by these.
  for (const path of [archive, `${archive}.ok`, `${file}.ok`]) writeFileSync(path, "");
}
