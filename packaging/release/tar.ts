import { pack } from "tar-stream";
import type { ReleaseFile } from "./files.ts";

/** An entry of a tar; a directory without content. */
export interface TarEntry extends Pick<ReleaseFile, "path"> {
  /** Absent: a directory. */
  readonly content?: Uint8Array | string;
  readonly mode: number;
  readonly uid?: number;
  readonly gid?: number;
}

/**
 * A tar as pieces, owned by root unless entries say otherwise. The content of an entry is a piece of its own, as the same
 * object, if it is large enough to matter.
 * @param seconds the modification time of all entries, since 1970
 */
export async function tarPieces(entries: readonly TarEntry[], seconds: number): Promise<Uint8Array[]> {
  const tar = pack();
  const pieces: Uint8Array[] = [];
  const large = new Set<Uint8Array>();
  let small: Uint8Array[] = [];
  const flush = (): void => {
    pieces.push(Buffer.concat(small));
    small = [];
  };
  tar.on("data", (data: unknown) => {
    const chunk = data as Uint8Array;
    if (!large.has(chunk)) return void small.push(chunk);
    flush();
    pieces.push(chunk);
  });
  const ended = new Promise<void>((resolve, reject) => tar.on("end", resolve).on("error", reject));
  for (const { path: name, content, mode, uid = 0, gid = 0 } of entries) {
    const names = uid === 0 ? { uname: "root", gname: "root" } : {};
    const header = { name, mode, mtime: new Date(seconds * 1000), uid, gid, ...names };
    if (content === undefined) {
      tar.entry({ ...header, type: "directory" });
      continue;
    }
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    if (bytes.length > LARGE) large.add(bytes);
    await new Promise<void>((resolve, reject) => {
      tar.entry(header, bytes as Buffer, (error) => (error ? reject(error) : resolve()));
    });
  }
  tar.finalize();
  await ended;
  flush();
  return pieces;
}

const LARGE = 1e6;

/** Every directory above these paths, parents first, as `usr/bin`. */
export function directoriesOf(paths: readonly string[]): string[] {
  const all = paths.flatMap((path) => {
    const names = path.split("/").slice(0, -1);
    return names.map((_, index) => names.slice(0, index + 1).join("/"));
  });
  return [...new Set(all)].sort();
}
