import { getAsset, getAssetKeys, getRawAsset } from "node:sea";
import { Script } from "node:vm";
import { cachedAsset, codeAsset, compressedAsset } from "./code.ts";

/**
 * Loads the program's code, which is embedded in pieces: a command parses only the pieces that it needs, and V8's code cache
 * covers most of them. This file comes first in the main thread and in workers; a call of {@link load} follows it.
 */

interface Piece {
  exports: unknown;
}

type Run = (module: Piece, exports: unknown, require: (name: string) => unknown) => void;

const loaded = new Map<string, Piece>();
const assets = new Set(getAssetKeys());

/** The exports of a piece such as `main.js`, which runs on the first call. */
export function load(name: string): unknown {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const piece: Piece = { exports: {} };
  loaded.set(name, piece);
  const run = compiled(name).runInThisContext() as Run;
  run(piece, piece.exports, required);
  return piece.exports;
}

/** V8 checks the code cache itself: with other flags, or in another build, it compiles again. */
function compiled(name: string): Script {
  const kept = cachedAsset(name);
  const cachedData = assets.has(kept) ? { cachedData: new Uint8Array(getRawAsset(kept)) } : {};
  return new Script(codeOf(name), { filename: `census:${name}`, ...cachedData });
}

/** Pieces that a start does not load are compressed. */
function codeOf(name: string): string {
  const compressed = compressedAsset(name);
  if (!assets.has(compressed)) return getAsset(codeAsset(name), "utf8");
  const { inflateRawSync } = process.getBuiltinModule("node:zlib");
  return inflateRawSync(new Uint8Array(getRawAsset(compressed))).toString("latin1");
}

function required(name: string): unknown {
  if (name.startsWith("./")) return load(name.slice(2));
  const builtin: unknown = process.getBuiltinModule(name);
  if (builtin !== undefined) return builtin;
  throw Object.assign(new Error(`${name} is not part of this program`), { code: "MODULE_NOT_FOUND" });
}
