import { crc32, deflateRawSync } from "node:zlib";

/** A member of an archive as these tests write it: anything goes. */
export interface TarMember {
  readonly name: string;
  readonly body: Buffer;
  /** Type flag of tar; default: a file. */
  readonly type?: string;
  readonly link?: string;
  /** What the header says of the size; default: the truth. */
  readonly size?: number | undefined;
}

const BLOCK = 512;

/** A tar archive of these members. */
export function tarOf(members: readonly TarMember[]): Buffer {
  const parts = members.flatMap((member) => {
    const padding = Buffer.alloc((BLOCK - (member.body.length % BLOCK)) % BLOCK);
    return [tarHeader(member), member.body, padding];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function tarHeader({ name, body, type = "0", link = "", size = body.length }: TarMember): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0, 100);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${size.toString(8).padStart(11, "0").slice(0, 11)}\0`, 124);
  header.write("15000000000\0", 136);
  header.fill(" ", 148, 156);
  header.write(type, 156);
  header.write(type === "1" || type === "2" ? link : "", 157, 100);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** A zip archive of these members. */
export function zipOf(members: readonly TarMember[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, body, size = body.length } of members) {
    const [path, packed] = [Buffer.from(name), deflateRawSync(body)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(Math.max(0, size) % 2 ** 32, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, path, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), common, tail, path]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06");
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
