/**
 * Runs the rehearsal of a program as its executable would run it, and writes down what V8 has compiled by then; a process
 * of its own, in which nothing else is compiled and names are hashed the same way every time.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { cachedAsset, codeAsset } from "./inside/code.ts";

/** What is rehearsed, as JSON. */
export interface Rehearsal {
  /** The files that hold what the program carries, by the names it knows them by. */
  readonly assets: Readonly<Record<string, string>>;
  /** The piece that exports `rehearse`. */
  readonly piece: string;
  /** Where what was compiled is written to, by the names that the assets have. */
  readonly output: string;
}

/** The flags that the process was started with, as they are by default. */
const usual = [
  "--hash-seed=0",
  "--flush-bytecode",
  "--profile-guided-optimization",
  "--sparkplug",
  "--min-semi-space-size=0",
] as const;

type Run = (module: { exports: unknown }, exports: unknown, require: (name: string) => unknown) => void;

async function main(order: string): Promise<void> {
  const { assets, piece: first, output } = JSON.parse(order) as Rehearsal;
  const scripts = new Map<string, Script>();
  const loaded = new Map<string, { exports: unknown }>();
  const contentOf = (name: string): Buffer => readFileSync(assets[name] ?? "");
  const carried = {
    getAsset: (name: string) => contentOf(name).toString(),
    getRawAsset: (name: string) => new Uint8Array(contentOf(name)).buffer,
  };
  const load = (name: string): unknown => {
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const piece: { exports: unknown } = { exports: {} };
    loaded.set(name, piece);
    const script = new Script(carried.getAsset(codeAsset(name)), { filename: `census:${name}` });
    scripts.set(name, script);
    (script.runInThisContext() as Run)(piece, piece.exports, required);
    return piece.exports;
  };
  const required = (name: string): unknown => {
    if (name === "node:sea") return carried;
    return name.startsWith("./") ? load(name.slice(2)) : process.getBuiltinModule(name);
  };

  // No time passes: what is done once in a while would be done in one rehearsal and not in the other.
  performance.now = () => 0;
  const { rehearse } = load(first) as { rehearse: () => Promise<void> };
  await rehearse();
  // V8 writes its flags along, and takes what was made under other ones for foreign.
  for (const flag of usual) setFlagsFromString(flag);
  for (const [name, script] of scripts) {
    if (name === first) continue;
    const path = join(output, cachedAsset(name));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, script.createCachedData());
  }
}

const [order = ""] = process.argv.slice(2);
void main(order);
