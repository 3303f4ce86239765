import { createReadStream } from "node:fs";
import type { H3Event } from "h3";
import { CensusError } from "#storage/errors.ts";
import type { Store } from "#storage/store.ts";
import { databaseFile } from "#storage/store-database.ts";
import { readAdminRequest } from "../admin/request.ts";
import { clojureText } from "#storage/query/ast/clojure.ts";
import { notFound, prettyAnswer, respond } from "../http/answers.ts";
import { nodeRequest, nodeResponse, rawTarget, readBody } from "../http/request.ts";
import { interfaceVersion } from "./meta.ts";

/** A request is no larger (bytes). */
const LARGEST_REQUEST = 4 * 1024 * 1024;

/** `/pdb/admin/v1`: maintenance on command, and figures about what is stored (`reference/lifecycle.md §7`). */
export async function answerAdmin(store: Store, event: H3Event): Promise<Response> {
  switch (rawTarget(event).path) {
    case "/pdb/admin/v1/cmd":
      return nodeRequest(event).method === "POST" ? answerCmd(store, event) : notFound();
    case "/pdb/admin/v1/backup":
      return nodeRequest(event).method === "GET" ? answerBackup(store, event) : notFound();
    case "/pdb/admin/v1/summary-stats":
      return prettyAnswer({ ...(await store.lifecycle.summaryStatistics()), version: interfaceVersion });
    default:
      return notFound();
  }
}

/** The copy of the store; it goes when it has been read, or nobody reads it any more. */
async function answerBackup(store: Store, event: H3Event): Promise<Response> {
  const backup = await store.backup();
  const content = createReadStream(backup.path).once("close", () => backup[Symbol.dispose]());
  const response = nodeResponse(event);
  if (response.destroyed) content.destroy();
  else response.once("close", () => content.destroy());
  return respond(content, {
    "content-type": "application/octet-stream",
    "content-length": String(backup.bytes),
    "content-disposition": `attachment; filename="${databaseFile}"`,
  });
}

async function answerCmd(store: Store, event: H3Event): Promise<Response> {
  const body = await textOf(event);
  const asked = readAdminRequest(body);
  if ("detail" in asked) {
    return prettyAnswer({ error: `Invalid command ${clojureText(body)}: ${asked.detail}` }, 400);
  }
  if (asked.command === "delete") {
    await store.lifecycle.deleteNode(asked.certname);
    return prettyAnswer({ deleted: asked.certname });
  }
  try {
    await store.lifecycle.clean(asked.request);
  } catch (error) {
    if (!(error instanceof CensusError) || error.code !== "conflict") throw error;
    return prettyAnswer({ kind: "conflict", msg: error.message, details: null }, 409);
  }
  return prettyAnswer({ ok: true });
}

/** A form's fields are taken out of the body before it is looked at, as in the peer. */
async function textOf(event: H3Event): Promise<string> {
  const text = await readBody(event, LARGEST_REQUEST);
  return nodeRequest(event).headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ? "" : text;
}
