import { exportParameters } from "../archive/parameters.ts";
import { archivePart } from "../archive/upload.ts";
import { json, object, plain } from "./replies.ts";
import type { Parameter, Paths } from "./types.ts";

const describedAs: Readonly<Record<keyof typeof exportParameters, string>> = {
  anonymization_profile: "How much is made unrecognisable",
  directory: "The folder that everything in it lies in; PuppetDB takes in puppetdb-bak alone",
};

/** `/pdb/admin/v1/archive`. */
export function archivePaths(): Paths {
  return {
    "/pdb/admin/v1/archive": {
      get: {
        summary: "Export everything that is stored",
        parameters: Object.entries(exportParameters).map(([name, { known, unless }]): Parameter => ({
          name,
          in: "query",
          description: describedAs[name as keyof typeof exportParameters],
          schema: { enum: known, default: unless },
        })),
        responses: {
          "200": {
            description: "A gzipped tar; a connection that is cut is the sign of one that is not whole",
            headers: {
              "Content-Disposition": { description: "A name for the file", schema: { type: "string" } },
            },
            content: { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
          },
          "400": plain("What is wrong with a parameter"),
        },
      },
      post: {
        summary: "Take in an export, of this service or of PuppetDB",
        requestBody: {
          required: true,
          description: "A gzipped or plain tar, or a zip; any other type of multipart does as well",
          content: {
            "multipart/form-data": {
              schema: object({ [archivePart]: { type: "string", format: "binary" } }, archivePart),
            },
          },
        },
        responses: {
          "200": json("Every command of it is on disk and will be stored", object({ ok: { const: true } }, "ok")),
          "400": plain("It is no sound archive; nothing of it is taken in"),
          "413": plain("It is larger than request-body-max-size"),
          "503": plain("It could not be kept"),
        },
      },
    },
  };
}
