import { openMembers } from "../archive/members.ts";
import { isObject, type Json, parseJson } from "../json.ts";

/** Keys of documents, including old versions, whose values are names of nodes. */
const NAME_KEYS = ["certname", "producer", "name"];

/**
 * The names of all nodes and compilers in an archive.
 * @param onProgress receives the number of bytes read so far
 * @throws CensusError `bad-file` for an invalid archive
 */
export async function namesInArchive(
  path: string,
  onProgress?: (bytesRead: number, bytesTotal: number) => void,
): Promise<Set<string>> {
  const names = new Set<string>();
  for await (const { body } of openMembers(path, {}, { onProgress })) {
    const document = documentIn(body.toString("utf8"));
    if (!isObject(document)) continue;
    for (const key of NAME_KEYS) {
      const value = document[key];
      if (typeof value === "string") names.add(value);
    }
  }
  return names;
}

/** Null for invalid JSON, which is reported when the document is anonymized. */
function documentIn(json: string): Json {
  try {
    return parseJson(json);
  } catch {
    return null;
  }
}
