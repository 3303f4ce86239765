/**
 * Runs the warm-up of a program as its executable would run it, and writes V8's code cache to files. It runs in a process
 * of its own, where nothing else is compiled and the hash seed is fixed.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { cachedAsset, codeAsset } from "./inside/code.ts";

/** The argument of this process, as JSON. */
export interface Recording {
  /** Paths of the asset files, by asset name. */
  readonly assets: Readonly<Record<string, string>>;
  /** The piece that exports `warmUp`. */
  readonly piece: string;
  /** The directory for the code cache, a file per asset name. */
  readonly output: string;
}

/** The default values of the flags that this process was started with. */
const defaultFlags = [
  "--hash-seed=0",
  "--flush-bytecode",
  "--profile-guided-optimization",
  "--sparkplug",
  "--min-semi-space-size=0",
] as const;

type Run = (module: { exports: unknown }, exports: unknown, require: (name: string) => unknown) => void;

async function main(order: string): Promise<void> {
  const { assets, piece: first, output } = JSON.parse(order) as Recording;
  const scripts = new Map<string, Script>();
  const loaded = new Map<string, { exports: unknown }>();
  const contentOf = (name: string): Buffer => readFileSync(assets[name] ?? "");
  const sea = {
    getAsset: (name: string) => contentOf(name).toString(),
    getRawAsset: (name: string) => new Uint8Array(contentOf(name)).buffer,
  };
  const load = (name: string): unknown => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const piece: { exports: unknown } = { exports: {} };
    loaded.set(name, piece);
    const script = new Script(sea.getAsset(codeAsset(name)), { filename: `census:${name}` });
    scripts.set(name, script);
    (script.runInThisContext() as Run)(piece, piece.exports, required);
    return piece.exports;
  };
  const required = (name: string): unknown => {
    if (name === "node:sea") return sea;
    return name.startsWith("./") ? load(name.slice(2)) : process.getBuiltinModule(name);
  };

  // Stop the clock: periodic work would run in one recording and not in the next.
  performance.now = () => 0;
  const { warmUp } = load(first) as { warmUp: () => Promise<void> };
  await warmUp();
  // V8 stores its flags in the cache, and rejects a cache with other flags.
  for (const flag of defaultFlags) setFlagsFromString(flag);
  for (const [name, script] of scripts) {
    if (name === first) continue;
    const path = join(output, cachedAsset(name));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, script.createCachedData());
  }
}

const [order = ""] = process.argv.slice(2);
void main(order);
