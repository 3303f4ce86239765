import { effect, signal } from "@preact/signals";
import { stored } from "../data/stored.ts";
import {
  activeTab,
  arrived,
  emptyTab,
  readFragment,
  restored,
  type Tab,
  type Tabs,
  tabText,
  type Workbench,
  workbenchOf,
  writeFragment,
} from "./tabs.ts";

const storedTabs = stored<Tabs>(
  "workbench",
  {
    read: (value) => {
      const found = value as Partial<Tabs> | null;
      const all = (found?.all ?? []).filter(
        (tab): tab is Tab => typeof tab.id === "number" && typeof tabText(tab) === "string",
      );
      if (all.length === 0) return undefined;
      return { all: all.map((tab) => ({ ...emptyTab(tab.id), ...tab })), active: found?.active ?? 1 };
    },
    fallback: { all: [emptyTab(1)], active: 1 },
  },
  { session: true },
);

/** The tabs of the workbench. They last as long as the browser's tab. */
export const tabs = signal<Tabs>(storedTabs.read());

effect(() => void storedTabs.write(tabs.value));

/** The address of a tab. */
export function addressOf(tab: Tab): string {
  return `${location.pathname}${location.search}${writeFragment(workbenchOf(tab))}`;
}

/** Whether the present step of the history has a query that was run: changes to it then become a new step. */
let isSettled = true;

/** Puts the active tab into the address: typing replaces, what was run stays to be gone back to. */
export function putIntoAddress({ settle = false } = {}): void {
  const address = addressOf(activeTab(tabs.peek()));
  if (address !== `${location.pathname}${location.search}${location.hash}`) {
    // An address without query is not a step of the history.
    if (isSettled && location.hash !== "") history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    isSettled = false;
  }
  if (settle) isSettled = true;
}

/**
 * Shows what the address says.
 * @param from a link brings a query from elsewhere, which gets a tab; going back restores the tab that is shown
 * @returns whether there is a query
 */
export function takeFromAddress(from: "link" | "history"): Workbench | undefined {
  const content = readFragment(location.hash);
  if (content !== undefined) tabs.value = (from === "link" ? arrived : restored)(tabs.peek(), content);
  isSettled = true;
  return content;
}
