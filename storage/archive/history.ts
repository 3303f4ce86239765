import { messageOf } from "../errors.ts";
import { readHistoryState, readNodeHistory } from "../history/archived/document.ts";
import type { HistoryMember } from "../history/archived/restore.ts";
import { type Json, parseJson } from "../json.ts";
import { shown } from "./guard.ts";
import { HISTORY, HISTORY_NODES, HISTORY_STATE } from "./layout.ts";
import { openMembers } from "./members.ts";

/** Called for what cannot be read: a member, or the place in it, and why. */
export type OnDamaged = (what: string, reason: string) => void;

/**
 * The history in an archive. What is damaged or invalid is left out.
 * @param directory the top directory of its members
 * @throws CensusError `bad-file` as `openMembers`
 */
export async function* readHistory(
  path: string,
  directory: string,
  onDamaged: OnDamaged,
): AsyncGenerator<HistoryMember> {
  const only = (name: string): boolean => name.startsWith(directory + HISTORY);
  for await (const { name, body } of openMembers(path, {}, { only })) {
    const onInvalid = (reason: string): void => onDamaged(`member ${shown(name)}`, reason);
    let document: Json;
    try {
      document = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
    } catch (error) {
      onInvalid(`not JSON: ${messageOf(error)}`);
      continue;
    }
    const place = name.slice(directory.length);
    if (place === HISTORY_STATE) {
      const begun = readHistoryState(document, onInvalid);
      if (begun !== undefined) yield { kind: "state", begun };
    } else if (place.startsWith(HISTORY_NODES)) {
      const history = readNodeHistory(document, onInvalid);
      if (history !== undefined) yield { kind: "node", history };
    }
  }
}
