import { randomBytes } from "node:crypto";
import type { ArchiveCommandName } from "../archive/contents.ts";
import type { JsonObject } from "../json.ts";
import { catalog } from "./documents/catalog.ts";
import { facts } from "./documents/facts.ts";
import { report } from "./documents/report.ts";
import { catalogInputs, expiration } from "./documents/small.ts";
import type { Walk } from "./documents/walk.ts";
import { NodeNames } from "./node-names.ts";
import { type ProfileName, profiles } from "./profiles.ts";
import { Pseudonyms } from "./pseudonyms.ts";
import { Replacer } from "./replacer.ts";

export interface AnonymizerOptions {
  readonly profile: ProfileName;
  /** The key of the replacements: the same key gives the same ones. Default: a random key that is not kept. */
  readonly salt?: Uint8Array | undefined;
  /**
   * The names of all nodes, which are replaced also in kept texts and in the documents of other nodes. Default: the
   * names in the documents so far.
   */
  readonly certnames?: Iterable<string> | undefined;
}

/** Replaces the values that a profile hides; equal values get equal replacements. */
export interface Anonymizer {
  /**
   * Anonymizes a document of the current wire format. Keys that the format does not have are omitted, values of the
   * wrong type are hidden.
   * @throws CensusError "bad-input" for a document that is nested too deep to be a command
   */
  apply(command: ArchiveCommandName, document: JsonObject): JsonObject;
  /** The replacement of a node's name. */
  certname(name: string): string;
}

const documents: Readonly<Record<ArchiveCommandName, Walk>> = {
  "replace catalog": catalog,
  "replace facts": facts,
  "store report": report,
  "replace catalog inputs": catalogInputs,
  "configure expiration": expiration,
};

const unchanged: Anonymizer = { apply: (_command, document) => document, certname: (name) => name };

/** Makes an anonymizer for one archive, or for several that share replacements. */
export function createAnonymizer({ profile, salt, certnames = [] }: AnonymizerOptions): Anonymizer {
  if (profile === "none") return unchanged;
  const pseudonyms = new Pseudonyms(salt ?? randomBytes(32));
  const to = new Replacer(profiles[profile], pseudonyms, new NodeNames(pseudonyms));
  for (const certname of certnames) to.addName(certname);
  return {
    apply: (command, document) => {
      for (const key of ["certname", "producer"]) {
        const name = document[key];
        if (typeof name === "string") to.addName(name);
      }
      return documents[command](document, to, "") as JsonObject;
    },
    certname: (name) => to.text("node", name),
  };
}
