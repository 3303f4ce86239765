import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { H3Event } from "h3";
import { FastResponse } from "srvx";
import { exportMembers } from "#storage/archive/export/members.ts";
import { CensusError } from "#storage/errors.ts";
import type { Store } from "#storage/store.ts";
import { formatTimestamp } from "#storage/time.ts";
import { archiveAnswer } from "../archive/answer.ts";
import { readExportParameters } from "../archive/parameters.ts";
import { keepUpload } from "../archive/upload.ts";
import { notFound, prettyAnswer, textAnswer } from "../http/answers.ts";
import { nodeRequest, rawTarget, requestSignal } from "../http/request.ts";

/** What the archive route works with. */
export interface ArchiveContext {
  readonly store: Store;
  /** Bytes that an archive which is sent may have; undefined: as many as the disk takes. */
  readonly bodyMaxSize: number | undefined;
  /** Told of an export that failed when its answer had begun. */
  readonly onFault: (error: unknown) => void;
}

/** `/pdb/admin/v1/archive`: everything that is stored as a file, and such a file taken in (`reference/archive.md §3, §4`). */
export async function answerArchive(context: ArchiveContext, event: H3Event): Promise<Response> {
  switch (nodeRequest(event).method) {
    case "GET":
    case "HEAD":
      return answerExport(context, event);
    case "POST":
      return answerImport(context, event);
    default:
      return notFound();
  }
}

async function answerExport({ store, onFault }: ArchiveContext, event: H3Event): Promise<Response> {
  const parameters = readExportParameters(rawTarget(event).search);
  if ("error" in parameters) return textAnswer(parameters.error);
  const made = formatTimestamp(store.clock.now());
  const headers = {
    "content-type": "application/octet-stream; charset=utf-8",
    "content-disposition": `attachment; filename=puppetdb-export-${made}.tgz`,
    vary: "Accept-Encoding, User-Agent",
  };
  if (nodeRequest(event).method === "HEAD") return new FastResponse(null, { headers });
  const signal = requestSignal(event, 0, "");
  return archiveAnswer(exportMembers(store, { ...parameters, signal }), headers, (error) => {
    if (!signal.aborted) onFault(error);
  });
}

async function answerImport({ store, bodyMaxSize }: ArchiveContext, event: H3Event): Promise<Response> {
  const folder = await mkdtemp(join(tmpdir(), "census-upload-"));
  const path = join(folder, "archive");
  try {
    const largest = bodyMaxSize ?? Number.POSITIVE_INFINITY;
    if (!(await keepUpload(nodeRequest(event), path, largest))) {
      return textAnswer(`The archive is larger than the ${largest} bytes of request-body-max-size`, 413);
    }
    const { enqueueArchive } = await import("#storage/archive/enqueue.ts");
    // All of it, whether anybody still waits for the answer or not: half of an archive helps nobody.
    await enqueueArchive(store, path);
    return prettyAnswer({ ok: true });
  } catch (error) {
    if (!(error instanceof CensusError) || error.code !== "bad-file") throw error;
    return textAnswer(error.message.replace(path, "the archive"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
