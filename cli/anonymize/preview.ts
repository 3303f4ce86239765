import type { Anonymizer } from "#storage/anonymize/anonymizer.ts";
import { beforeAndAfter, receiptTime } from "#storage/anonymize/archive.ts";
import { type ArchiveCommand, readArchive, readMetadata } from "#storage/archive/contents.ts";
import { stringifyJson } from "#storage/json.ts";
import { commands } from "#storage/wire/commands.ts";
import type { Rows } from "../output/rows.ts";
import { pairsOf } from "./pairs.ts";

/**
 * Previews the anonymization of an archive: rows of every value in the first documents of a few nodes, one of each
 * kind, next to what takes its place.
 * @param nodes how many nodes, from the first in the archive that have more than a setting
 * @throws CensusError "bad-file" for an archive or a document that cannot be read
 */
export async function* previewRows(path: string, anonymizer: Anonymizer, nodes: number): Rows {
  const { timestamp } = await readMetadata(path);
  const received = receiptTime(timestamp);
  const wanted = new Choice(nodes);
  for await (const found of readArchive(path)) {
    if (!wanted.takes(found)) continue;
    const { before, after } = beforeAndAfter(path, found, anonymizer, received);
    const document = commands[found.command].archive.folder;
    yield [...pairsOf(before, after)].map(({ field, value, newField, newValue }) =>
      stringifyJson({
        document,
        field,
        value,
        new_value: newValue ?? null,
        new_field: newField === field ? null : newField,
      }),
    );
  }
}

/** The first document of each kind of the first nodes that have one. */
class Choice {
  readonly #nodes: number;
  readonly #taken = new Map<string, Set<string>>();

  constructor(nodes: number) {
    this.#nodes = nodes;
  }

  takes({ certname, command }: ArchiveCommand): boolean {
    let taken = this.#taken.get(certname);
    if (taken === undefined) {
      // Expiration settings come first in an archive, and few nodes have one.
      if (this.#taken.size >= this.#nodes || command === "configure expiration") return false;
      this.#taken.set(certname, (taken = new Set()));
    }
    if (taken.has(command)) return false;
    taken.add(command);
    return true;
  }
}
