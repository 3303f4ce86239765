import { text } from "node:stream/consumers";
import { CensusError } from "#storage/errors.ts";
import { isObject, type Json, type JsonObject, parseJson } from "#storage/json.ts";
import { formatTimestamp } from "#storage/time.ts";
import { isConfirmed } from "./confirm.ts";
import { fullCertname } from "./names/full-certname.ts";
import { counted } from "./output/counted.ts";
import { stdout } from "./stdout.ts";
import type { ServiceArguments } from "./sources/contact-options.ts";
import { type Contact, oneServer } from "./sources/contact.ts";
import { nameOf } from "./sources/http.ts";
import { rowReader } from "./sources/read-rows.ts";
import { ask, posted, queryServer, serverTime } from "./sources/server.ts";

/** Names in a question. */
const SHOWN = 5;

/** What a command that changes a server takes. */
export interface MaintainArguments extends ServiceArguments {
  readonly yes?: boolean | undefined;
}

interface Act {
  readonly command: "deactivate" | "delete";
  /** What has happened to the nodes. */
  readonly done: string;
  readonly question: string;
  readonly run: (contact: Contact, certname: string) => Promise<void>;
}

const acts: Readonly<Record<Act["command"], Act>> = {
  deactivate: {
    command: "deactivate",
    done: "Deactivated",
    question: "Deactivate",
    run: async (contact, certname) => {
      const producer_timestamp = formatTimestamp(await serverTime(contact));
      const query = { command: "deactivate_node", version: "3", certname, secondsToWaitForCompletion: "60" };
      const answer = await post(contact, `/pdb/cmd/v1?${new URLSearchParams(query).toString()}`, {
        certname,
        producer_timestamp,
      });
      if (isObject(answer) && answer["error"] !== undefined) {
        throw new CensusError(
          "bad-file",
          `${certname}: ${typeof answer["error"] === "string" ? answer["error"] : JSON.stringify(answer["error"])}`,
        );
      }
    },
  },
  delete: {
    command: "delete",
    done: "Deleted",
    question: "Delete all data of",
    run: async (contact, certname) => {
      await post(contact, "/pdb/admin/v1/cmd", { command: "delete", version: 1, payload: { certname } });
    },
  },
};

/**
 * Deactivates or deletes nodes of a server.
 * @param names certnames in full, or up to a dot where no other node begins so
 * @returns the exit code: 1 when the user does not agree
 * @throws UsageError for a node that the server does not have, before anything is changed
 */
export async function changeNodes(
  command: Act["command"],
  names: readonly string[],
  args: MaintainArguments,
): Promise<number> {
  const { done, question, run } = acts[command];
  const contact = await oneServer(args);
  const readRows = rowReader({ query: (query) => queryServer(contact, query) });
  const certnames: string[] = [];
  for (const name of names) certnames.push(await fullCertname(`${command}: `, name, [readRows]));
  const nodes = [...new Set(certnames)];
  const what = `${listed(nodes)} on ${nameOf(contact.urls[0])}`;
  if (args.yes !== true && !(await isConfirmed(`${command}:`, `${question} ${what}?`))) return 1;
  for (const certname of nodes) {
    await run(contact, certname);
    await stdout.write(`${done} ${certname}\n`);
  }
  return 0;
}

/**
 * Lets a server do its maintenance now.
 * @param operations names of operations; none: all
 * @returns the exit code: 1 when the user does not agree
 */
export async function clean(operations: readonly string[], args: MaintainArguments): Promise<number> {
  const contact = await oneServer(args);
  const name = nameOf(contact.urls[0]);
  const what = operations.length === 0 ? "all maintenance" : operations.join(", ");
  const message = `Run ${what} on ${name}? It deletes what is older than the settings allow.`;
  if (args.yes !== true && !(await isConfirmed("clean:", message))) return 1;
  await post(contact, "/pdb/admin/v1/cmd", { command: "clean", version: 1, payload: [...operations] });
  await stdout.write(`Ran ${what} on ${name}\n`);
  return 0;
}

/** @throws CensusError with the server's words when it refuses */
async function post(contact: Contact, path: string, content: JsonObject): Promise<Json> {
  const { body } = await ask(contact, posted(path, content));
  return parseJson(await text(body));
}

function listed(nodes: readonly string[]): string {
  const shown = nodes.slice(0, SHOWN).join(", ");
  const more = nodes.length - SHOWN;
  return nodes.length === 1
    ? shown
    : `${counted(nodes.length, "node")} (${shown}${more > 0 ? ` and ${more} more` : ""})`;
}
