import type { H3Event } from "h3";
import { exportMembers } from "#storage/archive/export/members.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import type { Store } from "#storage/store.ts";
import { formatTimestamp } from "#storage/time.ts";
import { archiveAnswer } from "../archive/answer.ts";
import { readExportParameters } from "../archive/parameters.ts";
import { keepUpload } from "../archive/upload.ts";
import type { UploadFolder } from "../archive/upload-folder.ts";
import { notFound, prettyAnswer, respond, textAnswer } from "../http/answers.ts";
import { nodeRequest, rawTarget, requestSignal } from "../http/request.ts";
import type { QueryAdmission } from "../query/admission.ts";

/** What the archive route works with. */
export interface ArchiveContext {
  readonly store: Store;
  readonly admission: QueryAdmission;
  /** Bytes that an archive which is sent may have; undefined: as many as the disk takes. */
  readonly bodyMaxSize: number | undefined;
  /** Where archives that are sent are kept meanwhile. */
  readonly uploads: UploadFolder;
  /** Notified of an export that failed after its answer had begun. */
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

async function answerExport({ store, admission, onFault }: ArchiveContext, event: H3Event): Promise<Response> {
  const parameters = readExportParameters(rawTarget(event).search);
  if ("error" in parameters) return textAnswer(parameters.error);
  const made = formatTimestamp(store.clock.now());
  const headers = {
    "content-type": "application/octet-stream; charset=utf-8",
    "content-disposition": `attachment; filename=puppetdb-export-${made}.tgz`,
    vary: "Accept-Encoding, User-Agent",
  };
  if (nodeRequest(event).method === "HEAD") return respond(null, headers);
  const signal = requestSignal(event, 0, "");
  const reportFault = (error: unknown): void => {
    if (!signal.aborted) onFault(error);
  };
  try {
    return await admission.export(event, signal, async (begin) =>
      archiveAnswer(exportMembers(store, { ...parameters, signal }), { headers, begin, onFault: reportFault }),
    );
  } catch (error) {
    // Nobody reads it: the client is gone.
    if (signal.aborted) return textAnswer(messageOf(error), 500);
    throw error;
  }
}

async function answerImport(context: ArchiveContext, event: H3Event): Promise<Response> {
  const { store, bodyMaxSize, uploads } = context;
  return uploads.use(async (path) => {
    const largest = bodyMaxSize ?? Number.POSITIVE_INFINITY;
    if (!(await keepUpload(nodeRequest(event), path, largest))) {
      return textAnswer(`The archive is larger than the ${largest} bytes of request-body-max-size`, 413);
    }
    const { enqueueArchive } = await import("#storage/archive/enqueue.ts");
    try {
      // All of it, whether anybody still waits for the answer or not: half of an archive helps nobody.
      await enqueueArchive(store, path);
    } catch (error) {
      if (!(error instanceof CensusError) || error.code !== "bad-file") throw error;
      return textAnswer(error.message.replace(path, "the archive"));
    }
    return prettyAnswer({ ok: true });
  });
}
