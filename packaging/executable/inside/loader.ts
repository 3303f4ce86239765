import { getAsset, getAssetKeys, getRawAsset } from "node:sea";
import { Script } from "node:vm";
import { cachedAsset, codeAsset } from "./code.ts";

/**
 * Runs the program's code, which lies inside the executable in pieces: what a command does not need is not even parsed,
 * and of much of the rest V8 finds what it compiled when the executable was made. This file is the beginning of everything
 * that runs there, of the main thread's code as of a worker's; behind it stands a call of {@link load}.
 */

interface Piece {
  exports: unknown;
}

type Run = (module: Piece, exports: unknown, require: (name: string) => unknown) => void;

const loaded = new Map<string, Piece>();
const assets = new Set(getAssetKeys());

/** The exports of a piece, by its name such as `main.js`; it is run when it is first asked for. */
export function load(name: string): unknown {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const piece: Piece = { exports: {} };
  loaded.set(name, piece);
  const run = compiled(name).runInThisContext() as Run;
  run(piece, piece.exports, required);
  return piece.exports;
}

/** What V8 has kept is looked at by V8: under other flags, or in another build of it, it compiles anew. */
function compiled(name: string): Script {
  const kept = cachedAsset(name);
  const cachedData = assets.has(kept) ? { cachedData: new Uint8Array(getRawAsset(kept)) } : {};
  return new Script(getAsset(codeAsset(name), "utf8"), { filename: `census:${name}`, ...cachedData });
}

function required(name: string): unknown {
  if (name.startsWith("./")) return load(name.slice(2));
  const builtin: unknown = process.getBuiltinModule(name);
  if (builtin !== undefined) return builtin;
  throw Object.assign(new Error(`${name} is not part of this program`), { code: "MODULE_NOT_FOUND" });
}
