/** Rows of a query through the interface that all clients use. */
export async function rows<Row>(url: string, query: string): Promise<readonly Row[]> {
  return json(`${url}/pdb/query/v4?${new URLSearchParams({ query }).toString()}`);
}

/** What an address answers. @throws Error with the answer if that is none of 200 */
export async function json<T>(address: string): Promise<T> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** The lines of an exported file in CSV, without its head. Values must hold no line breaks. */
export async function csvLines(address: string): Promise<readonly string[]> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return (await response.text()).trimEnd().split(/\r?\n/).slice(1);
}
