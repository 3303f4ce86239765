import type { DocumentKind } from "#storage/archive/document-kinds.ts";
import type { SourceChoice } from "./choice.ts";
import type { OpenSource } from "./open-source.ts";

/**
 * Opens the source. Nothing is sent to a server yet, and nothing read of an archive.
 * @param kinds of documents of an archive that will be read, if that is known before its queries
 * @throws CensusError "bad-file" when it cannot be used
 */
export async function openSource(choice: SourceChoice, kinds?: Iterable<DocumentKind>): Promise<OpenSource> {
  if (choice.kind === "url") return (await import("./server-source.ts")).openServer(choice);
  return (await import("./local.ts")).openLocal(choice, kinds);
}

/** Opens a source, works with it and closes it. @throws as {@link openSource}; what `work` throws */
export async function withSource<T>(
  choice: SourceChoice,
  kinds: Iterable<DocumentKind> | undefined,
  work: (source: OpenSource) => Promise<T>,
): Promise<T> {
  const source = await openSource(choice, kinds);
  try {
    return await work(source);
  } finally {
    await source.close();
  }
}
