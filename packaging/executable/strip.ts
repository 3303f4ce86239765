const HEADER = 64;
const SECTION = 64;
const ALLOCATED = 0x2;
const NOBITS = 8;

/**
 * Removes from a 64-bit ELF program the parts that are not loaded when it runs: symbols and debug information, a
 * seventh of Node. They are at the end of the file, so nothing else moves. Like `strip -s`, but for all platforms and
 * reproducible.
 */
export function stripped(program: Buffer): Buffer {
  const [start, size, count, names] = [
    Number(program.readBigUInt64LE(0x28)),
    program.readUInt16LE(0x3a),
    program.readUInt16LE(0x3c),
    program.readUInt16LE(0x3e),
  ];
  const isElf64 = program.subarray(0, 6).equals(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1])) && size === SECTION;
  if (!isElf64) throw new Error("not a 64-bit little-endian ELF program");
  const sections = Array.from({ length: count }, (_, index) =>
    program.subarray(start + index * SECTION, start + (index + 1) * SECTION),
  );
  const last = sections.findLastIndex((section) => (flagsOf(section) & ALLOCATED) !== 0);
  const kept = sections.slice(0, last + 1);
  const end = Math.max(HEADER, ...kept.map(endOf));
  if (sections.slice(last + 1).some((section) => offsetOf(section) < end)) {
    throw new Error("unloaded sections are between loaded ones");
  }
  const table = sections[names];
  if (table === undefined) throw new Error("no names of sections");
  const text = program.subarray(offsetOf(table), endOf(table));
  const tableHeader = Buffer.from(table);
  tableHeader.writeBigUInt64LE(BigInt(end), 0x18);
  const headersAt = Math.ceil((end + text.length) / 8) * 8;
  const header = Buffer.from(program.subarray(0, HEADER));
  header.writeBigUInt64LE(BigInt(headersAt), 0x28);
  header.writeUInt16LE(kept.length + 1, 0x3c);
  header.writeUInt16LE(kept.length, 0x3e);
  const padding = Buffer.alloc(headersAt - end - text.length);
  return Buffer.concat([header, program.subarray(HEADER, end), text, padding, ...kept, tableHeader]);
}

function flagsOf(section: Buffer): number {
  return Number(section.readBigUInt64LE(0x08));
}

function offsetOf(section: Buffer): number {
  return Number(section.readBigUInt64LE(0x18));
}

/** The offset of its end in the file. */
function endOf(section: Buffer): number {
  const isInFile = section.readUInt32LE(0x04) !== NOBITS;
  return offsetOf(section) + (isInFile ? Number(section.readBigUInt64LE(0x20)) : 0);
}
