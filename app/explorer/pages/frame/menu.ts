import type { PageKey } from "../address/pages.ts";
import type { IconName } from "../icons/icon.tsx";

/** An entry of the menu. */
export interface MenuEntry {
  readonly page: PageKey;
  readonly label: string;
  readonly icon: IconName;
  /** Pressed after `g`. */
  readonly key: string;
  /** Pages shown under this entry. */
  readonly covers: readonly PageKey[];
}

/** The menu, from top to bottom. */
export const menu: readonly MenuEntry[] = [
  { page: "overview", label: "Overview", icon: "overview", key: "o", covers: ["overview"] },
  { page: "issues", label: "Issues", icon: "issues", key: "i", covers: ["issues", "issue"] },
  { page: "nodes", label: "Nodes", icon: "nodes", key: "n", covers: ["nodes", "node"] },
  { page: "reports", label: "Reports", icon: "reports", key: "r", covers: ["reports", "report"] },
  { page: "events", label: "Events", icon: "events", key: "e", covers: ["events"] },
  { page: "facts", label: "Facts", icon: "facts", key: "f", covers: ["facts", "fact"] },
  { page: "resources", label: "Resources", icon: "resources", key: "c", covers: ["resources", "resource"] },
  { page: "classes", label: "Classes", icon: "classes", key: "l", covers: ["classes"] },
  { page: "packages", label: "Packages", icon: "packages", key: "p", covers: ["packages", "package"] },
  { page: "compare", label: "Compare", icon: "compare", key: "d", covers: ["compare"] },
  { page: "query", label: "Query", icon: "query", key: "q", covers: ["query"] },
  { page: "status", label: "Status", icon: "status", key: "s", covers: ["status"] },
];
