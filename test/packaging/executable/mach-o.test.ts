import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { signatureProblem, signedAdHoc } from "#packaging/executable/mach-o.ts";

/**
 * Small programs that LLVM's linker signed, so that our signature can be compared with it, byte for byte:
 * `llvm-mc -triple arm64-apple-macos11 -filetype=obj`, then `ld64.lld-14 -platform_version macos 11.0 11.0 -adhoc_codesign`.
 */
const names = ["hello-arm64", "hello-x86_64"];
const linked = (name: string): Buffer => gunzipSync(readFileSync(join(import.meta.dirname, `mach-o/${name}.gz`)));

/** Where the last load command begins, which is that of the signature, and the signature itself. */
function signatureOf(program: Buffer): { command: number; offset: number; size: number } {
  const command = 32 + program.readUInt32LE(20) - 16;
  expect(program.readUInt32LE(command)).toBe(0x1d);
  return { command, offset: program.readUInt32LE(command + 8), size: program.readUInt32LE(command + 12) };
}

/** As the linker would have left it without a signature. */
function unsigned(name: string): Buffer {
  const program = linked(name);
  const { command, offset, size } = signatureOf(program);
  const linkedit = program.indexOf("__LINKEDIT") - 8;
  program.writeBigUInt64LE(program.readBigUInt64LE(linkedit + 48) - BigInt(size), linkedit + 48);
  program.writeUInt32LE(program.readUInt32LE(16) - 1, 16);
  program.writeUInt32LE(program.readUInt32LE(20) - 16, 20);
  program.fill(0, command, command + 16);
  return program.subarray(0, offset);
}

describe.each(names)("the ad-hoc signature of %s", (name) => {
  it("is the one that the linker makes", () => {
    const program = unsigned(name);
    expect(signatureProblem(program)).toBe("has no signature");
    expect(signedAdHoc(program, name).toString("hex")).toBe(linked(name).toString("hex"));
  });

  it("replaces another one", () => {
    const signed = signedAdHoc(linked(name), "another");
    expect(signed.includes("another\0")).toBe(true);
    expect(signatureProblem(signed)).toBeUndefined();
    expect(signedAdHoc(signed, name).toString("hex")).toBe(linked(name).toString("hex"));
  });

  it("fits no program that was changed or cut", () => {
    const program = linked(name);
    expect(signatureProblem(program)).toBeUndefined();
    program.writeUInt8(program.readUInt8(4100) ^ 1, 4100);
    expect(signatureProblem(program)).toBe("differs from its signature at byte 4096");
    expect(signatureProblem(linked(name).subarray(0, -1))).toBe("has a signature that is not at its end");
  });
});

it("refuses a file that is not a program for macOS", () => {
  expect(() => signedAdHoc(Buffer.alloc(4096), "census")).toThrow("not a 64-bit Mach-O program");
});
