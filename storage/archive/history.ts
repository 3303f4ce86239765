import { messageOf } from "../errors.ts";
import { type ArchivedRow, readArchivedRow } from "../history/archived/rows.ts";
import { type Json, parseJson } from "../json.ts";
import { shown } from "./guard.ts";
import { HISTORY } from "./layout.ts";
import { openMembers } from "./members.ts";

/** Called for what cannot be read: a member, or the place in it, and why. */
export type OnDamaged = (what: string, reason: string) => void;

/** The names of their members. */
const OF_EARLIER_BUILDS: readonly string[] = ["state", "nodes"];

/**
 * The history in an archive. What is damaged or invalid is left out.
 * @param directory the top directory of its members
 * @throws CensusError `bad-file` as `openMembers`
 */
export async function* readHistory(path: string, directory: string, onDamaged: OnDamaged): AsyncGenerator<ArchivedRow> {
  const folder = directory + HISTORY;
  const only = (name: string): boolean => name.startsWith(folder);
  for await (const { name, body } of openMembers(path, {}, { only })) {
    const [kind = ""] = /^\w+/.exec(name.slice(folder.length)) ?? [];
    if (OF_EARLIER_BUILDS.includes(kind)) {
      onDamaged("the history", "has the form of an earlier build: export it again, from its store with this build");
      return;
    }
    for (const [index, line] of new TextDecoder().decode(body).split("\n").entries()) {
      if (line === "") continue;
      const onInvalid = (reason: string): void => onDamaged(`member ${shown(name)}, line ${index + 1}`, reason);
      let document: Json;
      try {
        document = parseJson(line);
      } catch (error) {
        onInvalid(`not JSON: ${messageOf(error)}`);
        continue;
      }
      const row = readArchivedRow(kind, document, onInvalid);
      if (row !== undefined) yield row;
    }
  }
}
