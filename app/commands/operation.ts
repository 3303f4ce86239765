import { type CommandName, commandNames, commands } from "#storage/wire/commands.ts";
import { error, json, mediaReplies, object, plain } from "../openapi/replies.ts";
import type { Operation, Parameter, Schema } from "../openapi/types.ts";

/** The description of `POST /pdb/cmd/v1`, from the declarations of the commands. */
export function commandOperation(): Operation {
  return {
    summary: "Submit a command",
    description: versionTable(),
    parameters,
    requestBody: {
      required: true,
      description: "The payload; without a command in the URL an object that has all parameters (deprecated)",
      content: {
        "application/json": {
          schema: { anyOf: [payload, oldForm] },
          example: { certname: "web-01.example.com", producer_timestamp: "2026-11-20T12:00:00Z" },
        },
      },
    },
    responses: {
      "200": json("It is on disk and will be stored", accepted),
      "400": error("A parameter is invalid"),
      ...mediaReplies,
      "409": error("This server follows others, and follow-accept-commands is off"),
      "413": plain("It is larger than max-command-size, and reject-large-commands is on"),
      "503": json("It was not stored in the time to wait, or could not be written to disk", accepted),
    },
    "x-commands": Object.fromEntries(commandNames.map((name) => [name, versions(name)])),
  };
}

/** The versions that are accepted over HTTP. */
function versions(name: CommandName): readonly number[] {
  const { versions: all, minimumOverHttp } = commands[name];
  return all.filter((version) => version >= minimumOverHttp);
}

function versionTable(): string {
  const rows = commandNames.map((name) => `| ${name} | ${versions(name).join(", ")} | ${commands[name].newest} |`);
  return ["| command | versions | newest |", "| --- | --- | --- |", ...rows].join("\n");
}

const everyVersion = commandNames.flatMap(versions);

const parameters: readonly Parameter[] = [
  {
    name: "command",
    in: "query",
    description: "Name of the command, with _ for spaces",
    schema: { enum: commandNames.map((name) => name.replaceAll(" ", "_")) },
    example: "deactivate_node",
  },
  {
    name: "version",
    in: "query",
    description: "Version of its wire format",
    schema: { type: "integer", minimum: Math.min(...everyVersion), maximum: Math.max(...everyVersion) },
    example: commands["deactivate node"].newest,
  },
  {
    name: "certname",
    in: "query",
    description: "Certname of its node",
    schema: { type: "string", minLength: 1 },
    example: "web-01.example.com",
  },
  {
    name: "producer-timestamp",
    in: "query",
    description: "When it was made; of the waiting facts and catalogs of a node only the newest are stored",
    schema: { type: "string", format: "date-time" },
  },
  {
    name: "checksum",
    in: "query",
    description: "SHA-1 of the payload; a mismatch is refused with verify-checksum, else logged",
    schema: { type: "string" },
  },
  {
    name: "secondsToWaitForCompletion",
    in: "query",
    description: "Respond when it has been stored, or after this many seconds",
    schema: { type: "number", minimum: 0 },
  },
  {
    name: "X-Uncompressed-Length",
    in: "header",
    description: "Bytes of a gzipped payload, unpacked",
    schema: { type: "integer", minimum: 0 },
  },
  {
    name: "Content-Encoding",
    in: "header",
    description: "Compression of the body",
    schema: { enum: ["gzip", "identity"] },
  },
];

const payload: Schema = object({ certname: { type: "string" } });

const oldForm: Schema = object(
  { command: { enum: commandNames }, version: { type: "integer" }, payload, checksum: { type: "string" } },
  "command",
  "version",
  "payload",
);

const accepted: Schema = object(
  {
    uuid: { type: "string", format: "uuid" },
    processed: { type: "boolean", description: "With secondsToWaitForCompletion: whether it has been processed" },
    timed_out: { type: "boolean" },
    error: { type: "string" },
    stack_trace: { type: "array" },
  },
  "uuid",
);
