import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The identification of a Node in pkg. */
export interface CachedNode {
  readonly version: string;
  readonly platform: "linux" | "macos" | "win";
  readonly arch: "x64" | "arm64";
}

/**
 * Puts a Node into pkg's cache below a home directory, as if pkg had downloaded, checked and unpacked it. So pkg works
 * without network, also for other platforms.
 */
export function putIntoPkgCache(home: string, { version, platform, arch }: CachedNode, program: Uint8Array): void {
  const os = platform === "macos" ? "darwin" : platform;
  const name = `node-v${version}-${os}-${arch}`;
  const cache = join(home, ".pkg-cache/sea");
  const archive = join(cache, `${name}.${os === "win" ? "zip" : "tar.gz"}`);
  const file = os === "win" ? join(cache, `${name}.exe`) : join(cache, name, "bin/node");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, program, { mode: 0o755 });
  // Markers of pkg: the archive was checked and unpacked.
  for (const path of [archive, `${archive}.ok`, `${file}.ok`]) writeFileSync(path, "");
}
