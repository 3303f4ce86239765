import { type Json, stringifyJson } from "#storage/json.ts";
import { formatTimestamp, type Timestamp } from "#storage/time.ts";
import { type Moment, momentAt } from "../moment.ts";
import type { SourceChoice } from "./choice.ts";
import { type Contact, contactOf } from "./contact.ts";
import { nameOf } from "./http.ts";
import type { ServerSource } from "./open-source.ts";
import { queryServer, readExplorer, serverTime, silentAfter, sqlOnServer } from "./server.ts";

/** A server, to which nothing is sent yet. */
export async function openServer({ contact, asOf }: Extract<SourceChoice, { kind: "url" }>): Promise<ServerSource> {
  return serverSource(await contactOf(contact), asOf);
}

/** @param asOf the moment whose state is queried; undefined: the present one */
function serverSource(contact: Contact, asOf: Moment | undefined): ServerSource {
  let time: Promise<Timestamp> | undefined;
  /** One for all queries, so that they show the same state; undefined: the present one. */
  const pastTime = async (): Promise<Timestamp | undefined> => {
    if (asOf === undefined) return undefined;
    return (time ??= "at" in asOf ? Promise.resolve(asOf.at) : serverTime(contact).then((now) => momentAt(asOf, now)));
  };
  return {
    kind: "url",
    name: contact.urls.map(nameOf).join(","),
    at: (other) => serverSource(contact, { at: other }),
    query: async (query: string | Json, options) => {
      const text = typeof query === "string" ? query : stringifyJson(query);
      return queryServer(contact, text, { ...options, asOf: await pastTime() });
    },
    sql: async (statement, { inactive = false, signal } = {}) =>
      sqlOnServer(contact, statement, { inactive, asOf: await pastTime(), signal }),
    explorer: async (path, parameters) => {
      const past = await pastTime();
      return readExplorer(contact, path, { ...parameters, as_of: past === undefined ? past : formatTimestamp(past) });
    },
    now: async () => (await pastTime()) ?? serverTime(contact),
    silentAfter: () => silentAfter(contact),
    close: () => Promise.resolve(),
  };
}
