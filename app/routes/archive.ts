import { exportMembers } from "#storage/archive/export/members.ts";
import { CensusError, messageOf } from "#storage/errors.ts";
import type { Store } from "#storage/store.ts";
import { formatTimestamp } from "#storage/time.ts";
import { archiveStream } from "../archive/stream.ts";
import { exportParameters, readExportParameters } from "../archive/parameters.ts";
import { archivePart, keepUpload } from "../archive/upload.ts";
import type { UploadFolder } from "../archive/upload-folder.ts";
import { type HttpRequest, requestSignal } from "../http/request.ts";
import { type HttpResponse, prettyJsonResponse, textResponse, vary } from "../http/response.ts";
import type { RouteTable } from "../http/route.ts";
import type { QueryAdmission } from "../query/admission.ts";
import { json, object, plain } from "../openapi/replies.ts";
import type { Operation, Parameter } from "../openapi/types.ts";

/** What exports and imports work with. */
export interface ArchiveServices {
  readonly store: Store;
  readonly archives: {
    readonly admission: QueryAdmission;
    /** Bytes of an uploaded archive, at most; undefined: no limit but the disk. */
    readonly bodyMaxSize: number | undefined;
    /** Where uploaded archives are stored until they are imported. */
    readonly uploads: UploadFolder;
    /** Called for an export that failed after its response had begun. */
    readonly onFault: (error: unknown) => void;
  };
}

/** `/pdb/admin/v1/archive`: export of everything that is stored, and import (`reference/archive.md §3, §4`). */
export const archiveRoutes: RouteTable<ArchiveServices> = {
  routes: [
    {
      path: "/pdb/admin/v1/archive",
      anySpelling: true,
      methods: ["GET", "HEAD", "POST"],
      family: "archive",
      metered: "/pdb/admin/v1/archive",
      streamsBody: true,
      describe: () => ({ get: exportOperation, post: importOperation }),
      handle: (services, request) =>
        request.message.method === "POST" ? importArchive(services, request) : exportArchive(services, request),
    },
  ],
};

async function exportArchive({ store, archives }: ArchiveServices, request: HttpRequest): Promise<HttpResponse> {
  const parameters = readExportParameters(request.search);
  if ("error" in parameters) return textResponse(parameters.error);
  const now = formatTimestamp(store.clock.now());
  const headers = {
    "content-type": "application/octet-stream; charset=utf-8",
    "content-disposition": `attachment; filename=puppetdb-export-${now}.tgz`,
    vary,
  };
  if (request.message.method === "HEAD") return { status: 200, headers, body: undefined };
  const signal = requestSignal(request, 0, "");
  const onFault = (error: unknown): void => {
    if (!signal.aborted) archives.onFault(error);
  };
  try {
    return await archives.admission.export(request, signal, async (begin) => {
      const body = await archiveStream(exportMembers(store, { ...parameters, signal }), begin, onFault);
      return { status: 200, headers, body };
    });
  } catch (error) {
    // The client has disconnected: this is not a defect.
    if (signal.aborted) return textResponse(messageOf(error), 500);
    throw error;
  }
}

async function importArchive(
  { store, archives: { bodyMaxSize, uploads } }: ArchiveServices,
  { message }: HttpRequest,
): Promise<HttpResponse> {
  return uploads.use(async (path) => {
    const largest = bodyMaxSize ?? Number.POSITIVE_INFINITY;
    if (!(await keepUpload(message, path, largest))) {
      return textResponse(`The archive is larger than the ${largest} bytes of request-body-max-size`, 413);
    }
    const { enqueueArchive } = await import("#storage/archive/enqueue.ts");
    try {
      // Import all of it even when the client has left: half an archive is of no use.
      await enqueueArchive(store, path);
    } catch (error) {
      if (!(error instanceof CensusError) || error.code !== "bad-file") throw error;
      return textResponse(error.message.replace(path, "the archive"));
    }
    return prettyJsonResponse({ ok: true });
  });
}

const parameterDescriptions: Readonly<Record<keyof typeof exportParameters, string>> = {
  anonymization_profile: "How much to anonymize",
  directory: "Folder of all files in the archive; PuppetDB imports puppetdb-bak alone",
  history: "Whether recorded changes are exported too, in files that PuppetDB ignores",
};

const exportOperation: Operation = {
  summary: "Export everything that is stored",
  parameters: Object.entries(exportParameters).map(([name, { known, unless }]): Parameter => ({
    name,
    in: "query",
    description: parameterDescriptions[name as keyof typeof exportParameters],
    schema: { enum: known, default: unless },
  })),
  responses: {
    "200": {
      description: "A gzipped tar; the connection is closed early when it is incomplete",
      headers: { "Content-Disposition": { description: "A name for the file", schema: { type: "string" } } },
      content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
    },
    "400": plain("A parameter is invalid"),
  },
};

const importOperation: Operation = {
  summary: "Import an export of this service or of PuppetDB",
  requestBody: {
    required: true,
    description: "A gzipped or plain tar, or a zip; any other type of multipart is accepted as well",
    content: {
      "multipart/form-data": { schema: object({ [archivePart]: { type: "string", format: "binary" } }, archivePart) },
    },
  },
  responses: {
    "200": json("Every command of it is on disk and will be stored", object({ ok: { const: true } }, "ok")),
    "400": plain("The archive is invalid; nothing of it is imported"),
    "413": plain("The archive is larger than request-body-max-size"),
    "503": plain("The archive could not be written to disk"),
  },
};
