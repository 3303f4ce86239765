import { getAsset } from "node:sea";
import { compileFunction } from "node:vm";

/**
 * Runs the program's code, which lies inside the executable in pieces: what a command does not need is not even parsed.
 * This file is the beginning of everything that runs there, of the main thread's code as of a worker's; behind it stands
 * a call of {@link load}.
 */

interface Piece {
  exports: unknown;
}

const loaded = new Map<string, Piece>();

/** The exports of a piece, by its name such as `main.js`; it is run when it is first asked for. */
export function load(name: string): unknown {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const piece: Piece = { exports: {} };
  loaded.set(name, piece);
  const run = compileFunction(getAsset(`code/${name}`, "utf8"), ["module", "exports", "require"], {
    filename: `census:${name}`,
  }) as (module: Piece, exports: unknown, require: (name: string) => unknown) => void;
  run(piece, piece.exports, required);
  return piece.exports;
}

function required(name: string): unknown {
  if (name.startsWith("./")) return load(name.slice(2));
  const builtin: unknown = process.getBuiltinModule(name);
  if (builtin !== undefined) return builtin;
  throw Object.assign(new Error(`${name} is not part of this program`), { code: "MODULE_NOT_FOUND" });
}
