import { openMembers } from "../archive/members.ts";
import { topLevelMembers } from "../ingest/shortcuts/json-bounds.ts";
import { parseJson } from "../json.ts";

/** Keys of documents, those of old versions too, whose values are names of nodes; as they are written. */
const NAME_KEYS: ReadonlySet<string> = new Set(['"certname"', '"producer"', '"name"']);

/**
 * The names of all nodes and compilers in an archive, which is read through for it, though not parsed.
 * @param onProgress told of the bytes of the file that are read
 * @throws CensusError `bad-file` for anything that is not a sound archive
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

/** The text that a JSON string stands for. What is no JSON will be complained of when it is read in earnest. */
function stringIn(json: string): string | undefined {
  try {
    const value = parseJson(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
