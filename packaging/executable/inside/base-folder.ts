import { useCargo } from "./places.ts";

/**
 * Stands for `fixtures/base-folder.ts` in the packaged program: unpacks the usual population, which the engine can only read
 * from files. Where there is no place for it, it is made up as others are.
 */
export async function openBase<T>(open: (folder: string) => Promise<T>): Promise<T | undefined> {
  const opened = await useCargo("population", open);
  return "value" in opened ? opened.value : undefined;
}
