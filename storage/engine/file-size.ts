import { stat } from "node:fs/promises";

/**
 * The bytes of a database file and of the engine's log beside it.
 * @returns undefined for a database in memory
 */
export async function fileSize(place: string): Promise<number | undefined> {
  if (place === "memory") return undefined;
  const sizes = await Promise.all([place, `${place}.wal`].map(sizeOf));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** 0 where there is no such file: the log comes and goes with each checkpoint. */
async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}
