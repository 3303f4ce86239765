import { useEmbedded } from "./places.ts";

/**
 * Replaces `fixtures/base-folder.ts` in the packaged program: unpacks the default population, which the engine reads from
 * files. If no directory is writable, the population is generated instead.
 */
export async function openBase<T>(open: (folder: string) => Promise<T>): Promise<T | undefined> {
  const opened = await useEmbedded("population", open);
  return "value" in opened ? opened.value : undefined;
}
