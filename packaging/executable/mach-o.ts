import { createHash } from "node:crypto";

/*
 * Ad-hoc signatures of Mach-O programs, without which no Mac with Apple silicon runs them. An ad-hoc signature names nobody: it is
 * a list of checksums of the file's pages. The layout is that of linkers (LLVM's `ld64.lld`, Go):
 * https://github.com/apple-oss-distributions/xnu/blob/main/osfmk/kern/cs_blobs.h
 */

const HEADER = 32;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const COMMAND = 16;
const ARM64 = 0x0100000c;

const SUPER_BLOB = 0xfade0cc0;
const DIRECTORY = 0xfade0c02;
/** Where the directory begins in the signature, and the length of its fields. */
const [DIRECTORY_AT, DIRECTORY_FIELDS] = [24, 88];
const VERSION = 0x20400;
/** Ad hoc, and made by a linker: `codesign` may replace it. */
const FLAGS = 0x20002;
const SHA256 = { kind: 2, size: 32 };
const PAGE_BITS = 12;
const PAGE = 1 << PAGE_BITS;
const MAIN_BINARY = 1n;

interface Segment {
  /** Where its command begins. */
  readonly at: number;
  readonly name: string;
  readonly offset: number;
  readonly size: number;
}

interface Layout {
  readonly segments: readonly Segment[];
  /** Where the commands end, and the first byte that is in use after them. */
  readonly commandsEnd: number;
  readonly contentAt: number;
  readonly signature: { readonly at: number; readonly offset: number; readonly size: number } | undefined;
}

/**
 * Signs a 64-bit program for macOS; a signature that it has is replaced.
 * @param identifier the name in the signature, e.g. `census`
 * @throws Error if it is not such a program, or has no space for the signature
 */
export function signedAdHoc(program: Buffer, identifier: string): Buffer {
  const { segments, commandsEnd, contentAt, signature } = layoutOf(program);
  const [text, last] = [named(segments, "__TEXT"), named(segments, "__LINKEDIT")];
  if (last.offset + last.size !== program.length) throw new Error("__LINKEDIT is not the end of the program");
  const end = signature?.offset ?? program.length;
  const limit = Math.ceil(end / 16) * 16;
  const pages = Math.ceil(limit / PAGE);
  const hashesAt = Math.ceil((DIRECTORY_AT + DIRECTORY_FIELDS + identifier.length + 1) / 16) * 16;
  const size = hashesAt + pages * SHA256.size;

  const signed = Buffer.alloc(limit + size);
  program.copy(signed, 0, 0, end);
  if (signature === undefined) {
    if (commandsEnd + COMMAND > contentAt) throw new Error("no space for another load command");
    signed.writeUInt32LE(signed.readUInt32LE(16) + 1, 16);
    signed.writeUInt32LE(signed.readUInt32LE(20) + COMMAND, 20);
  }
  const command = signature?.at ?? commandsEnd;
  for (const [index, value] of [LC_CODE_SIGNATURE, COMMAND, limit, size].entries()) {
    signed.writeUInt32LE(value, command + index * 4);
  }
  const lastSize = limit + size - last.offset;
  const memoryPage = signed.readUInt32LE(4) === ARM64 ? 0x4000 : 0x1000;
  if (signed.readBigUInt64LE(last.at + 32) < lastSize) {
    signed.writeBigUInt64LE(BigInt(Math.ceil(lastSize / memoryPage) * memoryPage), last.at + 32);
  }
  signed.writeBigUInt64LE(BigInt(lastSize), last.at + 48);

  const blob = signed.subarray(limit);
  for (const [index, value] of [SUPER_BLOB, size, 1, 0, DIRECTORY_AT].entries()) blob.writeUInt32BE(value, index * 4);
  const directory = blob.subarray(DIRECTORY_AT);
  const fields = [
    DIRECTORY,
    directory.length,
    VERSION,
    FLAGS,
    hashesAt - DIRECTORY_AT,
    DIRECTORY_FIELDS,
    0,
    pages,
    limit,
  ];
  for (const [index, value] of fields.entries()) directory.writeUInt32BE(value, index * 4);
  directory.set([SHA256.size, SHA256.kind, 0, PAGE_BITS], 36);
  directory.writeBigUInt64BE(BigInt(text.offset), 64);
  directory.writeBigUInt64BE(BigInt(text.size), 72);
  directory.writeBigUInt64BE(MAIN_BINARY, 80);
  directory.write(identifier, DIRECTORY_FIELDS, "latin1");
  for (let page = 0; page < pages; page++) pageHash(signed, page, limit).copy(blob, hashesAt + page * SHA256.size);
  return signed;
}

/**
 * Checks the ad-hoc signature of a program as the system does when it runs it.
 * @returns what is wrong with it; undefined: nothing
 */
export function signatureProblem(program: Buffer): string | undefined {
  const { signature } = layoutOf(program);
  if (signature === undefined) return "has no signature";
  const { offset, size } = signature;
  if (offset + size !== program.length) return "has a signature that is not at its end";
  const blob = program.subarray(offset);
  const directory = blob.subarray(blob.readUInt32BE(16));
  if (blob.readUInt32BE(0) !== SUPER_BLOB || directory.readUInt32BE(0) !== DIRECTORY) return "has an unknown signature";
  const [hashesAt, pages, limit] = [directory.readUInt32BE(16), directory.readUInt32BE(28), directory.readUInt32BE(32)];
  if (limit !== offset || pages !== Math.ceil(limit / PAGE)) return "is not signed as a whole";
  for (let page = 0; page < pages; page++) {
    const at = hashesAt + page * SHA256.size;
    if (!pageHash(program, page, limit).equals(directory.subarray(at, at + SHA256.size))) {
      return `differs from its signature at byte ${page * PAGE}`;
    }
  }
  return undefined;
}

function pageHash(program: Buffer, page: number, limit: number): Buffer {
  const content = program.subarray(page * PAGE, Math.min((page + 1) * PAGE, limit));
  return createHash("sha256").update(content).digest();
}

function layoutOf(program: Buffer): Layout {
  if (program.readUInt32LE(0) !== 0xfeedfacf) throw new Error("not a 64-bit Mach-O program");
  const segments: Segment[] = [];
  let signature: Layout["signature"];
  let contentAt = program.length;
  let at = HEADER;
  for (let index = 0; index < program.readUInt32LE(16); index++) {
    const [kind, size] = [program.readUInt32LE(at), program.readUInt32LE(at + 4)];
    if (kind === LC_CODE_SIGNATURE) {
      signature = { at, offset: program.readUInt32LE(at + 8), size: program.readUInt32LE(at + 12) };
    }
    if (kind === LC_SEGMENT_64) {
      const segment = segmentAt(program, at);
      segments.push(segment);
      const sections = Array.from({ length: program.readUInt32LE(at + 64) }, (_, section) =>
        program.readUInt32LE(at + 72 + section * 80 + 48),
      );
      // Sections without content have no place in the file.
      contentAt = Math.min(contentAt, ...sections.filter((offset) => offset > 0));
    }
    at += size;
  }
  return { segments, commandsEnd: at, contentAt, signature };
}

function segmentAt(program: Buffer, at: number): Segment {
  const name = program.toString("latin1", at + 8, at + 24).replace(/\0.*$/, "");
  const [offset, size] = [program.readBigUInt64LE(at + 40), program.readBigUInt64LE(at + 48)];
  return { at, name, offset: Number(offset), size: Number(size) };
}

function named(segments: readonly Segment[], name: string): Segment {
  const found = segments.find((segment) => segment.name === name);
  if (found === undefined) throw new Error(`no segment ${name}`);
  return found;
}
