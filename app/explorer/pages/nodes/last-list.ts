const KEY = "census.list.nodes";

/** The list of nodes that was looked at last. */
export interface NodeList {
  /** Path and query string of its page. */
  readonly address: string;
  /** Rows with a certname, in the order shown. */
  readonly pql: string;
}

/** Remembers the list in this tab, so that a node leads to the next one. */
export function rememberList(list: NodeList): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // Without storage the list is that of all nodes.
  }
}

/** The list that was remembered. */
export function rememberedList(): NodeList | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    if (typeof stored !== "object" || stored === null) return undefined;
    const { address, pql } = stored as Partial<NodeList>;
    const isList = typeof address === "string" && typeof pql === "string" && address.startsWith("/explorer/");
    return isList ? { address, pql } : undefined;
  } catch {
    return undefined;
  }
}
