import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system of a few megabytes, gone when the test is over. */
export interface SmallDisk extends Disposable {
  readonly path: string;
}

/**
 * Mounts a file system in memory; undefined where this process may not.
 * @param options further ones of its own, such as `noexec`
 */
export function mountSmallDisk(megabytes: number, ...options: readonly string[]): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), "census-disk-"));
  try {
    run("mount", "-t", "tmpfs", "-o", [`size=${megabytes}m`, "mode=700", ...options].join(","), "census-test", path);
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  const unmount = (): void => {
    // A lazy unmount: it ends when the last file there is closed.
    run("umount", "--lazy", path);
    rmSync(path, { recursive: true });
  };
  return { path, [Symbol.dispose]: unmount };
}

function run(program: string, ...words: string[]): void {
  execFileSync(program, words, { stdio: "ignore" });
}
