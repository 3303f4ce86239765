import { load } from "./yoga-layout.ts";

/** Replaces `cli/top/library.ts` in the packaged program: loads what the library draws with. */
export async function prepareLibrary(): Promise<void> {
  await load();
}
