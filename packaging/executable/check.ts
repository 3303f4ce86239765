import { readFileSync } from "node:fs";
import { CensusError } from "#storage/errors.ts";
import { signatureProblem } from "./mach-o.ts";
import type { Target } from "./targets.ts";

/** Whether a file is an executable for a platform, by its header. */
const formats: Readonly<Record<string, (program: Buffer) => boolean>> = {
  "linux-x64": (program) => isElf(program) && program.readUInt16LE(0x12) === 0x3e,
  "linux-arm64": (program) => isElf(program) && program.readUInt16LE(0x12) === 0xb7,
  "darwin-arm64": (program) => program.readUInt32LE(0) === 0xfeedfacf && program.readUInt32LE(4) === 0x0100000c,
  "win32-x64": (program) => isPe(program) && program.readUInt16LE(program.readUInt32LE(0x3c) + 4) === 0x8664,
};

/** The marker of a Node with an embedded program. Written in two parts, so that no bundle contains it. */
const FUSE = ["NODE_SEA_FUSE_", "fce680ab2cc467b6e072b8b5df1996b2:1"].join("");

/**
 * Checks that an executable is for its target and contains each asset unchanged, for macOS also its signature, without
 * running it.
 * @param assets paths of the asset files, by asset name
 * @throws CensusError "bad-file" with the reason
 */
export function checkExecutable(file: string, { name }: Target, assets: Readonly<Record<string, string>>): void {
  const program = readFileSync(file);
  const refuse = (reason: string): CensusError => new CensusError("bad-file", `${file}: ${reason}`);
  if (formats[name]?.(program) !== true) throw refuse(`is not an executable for ${name}`);
  if (!program.includes(FUSE)) throw refuse("has no embedded program");
  for (const [asset, source] of Object.entries(assets)) {
    if (!program.includes(readFileSync(source))) throw refuse(`does not contain ${asset} unchanged`);
  }
  const problem = name.startsWith("darwin") ? signatureProblem(program) : undefined;
  if (problem !== undefined) throw refuse(problem);
}

function isElf(program: Buffer): boolean {
  return program.readUInt32BE(0) === 0x7f454c46;
}

function isPe(program: Buffer): boolean {
  return program.toString("latin1", 0, 2) === "MZ" && program.readUInt32BE(program.readUInt32LE(0x3c)) === 0x50450000;
}
