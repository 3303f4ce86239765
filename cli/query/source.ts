import type { Rows as EngineRows } from "#storage/engine/rows.ts";
import type { Clock } from "#storage/time.ts";
import { UsageError } from "../errors.ts";
import type { Rows } from "../output/writers.ts";

/** What a question is put to. */
export type Source =
  | { readonly kind: "archive" | "data"; readonly path: string; readonly clock: Clock | undefined }
  | { readonly kind: "url"; readonly url: string };

/** The options that name a source. */
export interface SourceOptions {
  readonly archive: string | undefined;
  readonly data: string | undefined;
  readonly url: string | undefined;
}

const defaultUrl = "http://127.0.0.1:8080";

/**
 * The one source that the options name; a running server when they name none.
 * @throws UsageError when they name several, or a clock for a server, which has its own
 */
export function chooseSource(options: SourceOptions, clock: Clock | undefined): Source {
  const { archive, data, url } = options;
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    throw new UsageError(`query: ${given.map(([name]) => `--${name}`).join(" and ")} exclude each other`);
  }
  if (archive !== undefined) return { kind: "archive", path: archive, clock };
  if (data !== undefined) return { kind: "data", path: data, clock };
  if (clock !== undefined) throw new UsageError("query: --now needs --archive or --data; a server has its own clock");
  return { kind: "url", url: url ?? (process.env["CENSUS_URL"] || defaultUrl) };
}

/**
 * Puts a question to a source and hands over the rows while they come.
 * @throws CensusError "bad-input" when the question cannot be asked, "bad-file" when the source cannot be used
 */
export async function askSource(source: Source, question: string, take: (rows: Rows) => Promise<void>): Promise<void> {
  if (source.kind === "url") {
    const { askServer } = await import("./server.ts");
    await take(await askServer(source.url, question));
    return;
  }
  const { openStore } = await import("./local.ts");
  const { astOrPql } = await import("./question.ts");
  const asked = astOrPql(question);
  const store = await openStore(source);
  try {
    const { rows } = await store.ask(store.plan({ of: "root", ...asked }));
    await take(texts(rows));
  } finally {
    await store.close();
  }
}

async function* texts(rows: AsyncIterable<EngineRows>): AsyncGenerator<string[]> {
  for await (const batch of rows) yield batch.texts();
}
