import { openMembers } from "../archive/members.ts";
import { topLevelMembers } from "../ingest/shortcuts/json-bounds.ts";
import { parseJson } from "../json.ts";

/** Keys of documents, including old versions, whose values are names of nodes, in their JSON spelling. */
const NAME_KEYS: ReadonlySet<string> = new Set(['"certname"', '"producer"', '"name"']);

/**
 * The names of all nodes and compilers in an archive, which is read completely but not parsed.
 * @param onProgress receives the number of bytes read so far
 * @throws CensusError `bad-file` for an invalid archive
 */
export async function namesInArchive(
  path: string,
  onProgress?: (bytesRead: number, bytesTotal: number) => void,
): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const { body } of openMembers(path, {}, { onProgress })) {
    for (const { name, from, to } of topLevelMembers(body) ?? []) {
      const value = NAME_KEYS.has(name) ? stringIn(body.toString("utf8", from, to)) : undefined;
      if (value !== undefined) names.add(value);
    }
  }
  return names;
}

/** The value of a JSON string. Invalid JSON is reported when the document is parsed. */
function stringIn(json: string): string | undefined {
  try {
    const value = parseJson(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
