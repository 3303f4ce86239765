import { fetchText } from "./http.ts";

/**
 * How many there are of an entity, those of inactive nodes included.
 * @param since only what was produced then or later
 */
export async function countOf(url: string, entity: string, since?: string): Promise<number> {
  const anyNode = ["=", "node_state", "any"];
  const condition = since === undefined ? anyNode : ["and", anyNode, [">=", "producer_timestamp", since]];
  const query = JSON.stringify(["extract", [["function", "count"]], condition]);
  const answer = await fetchText(`${url}/pdb/query/v4/${entity}?query=${encodeURIComponent(query)}`);
  const [row] = JSON.parse(answer) as { count: number }[];
  return row?.count ?? 0;
}
