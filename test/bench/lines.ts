import { createReadStream } from "node:fs";

const NEWLINE = 0x0a;

/**
 * The lines of a file that is larger than a text can be. Split at the newline alone, for JSON may hold what else ends
 * lines elsewhere.
 */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  for await (const read of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    let rest = read as Buffer;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      begun.push(rest.subarray(0, end));
      yield Buffer.concat(begun).toString();
      begun = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) begun.push(rest);
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString();
}
