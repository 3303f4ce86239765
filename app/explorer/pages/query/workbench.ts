import { effect, signal } from "@preact/signals";
import type { Workbench } from "./fragment.ts";
import { readFragment, writeFragment } from "./fragment.ts";
import { activeTab, arrived, emptyTab, restored, type Tab, type Tabs, tabText, workbenchOf } from "./tabs.ts";

const KEY = "census.workbench";

/** The tabs of the workbench. They last as long as the browser's tab. */
export const tabs = signal<Tabs>(stored());

effect(() => {
  const text = JSON.stringify(tabs.value);
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // They last as long as the page is open.
  }
});

function stored(): Tabs {
  const empty: Tabs = { all: [emptyTab(1)], active: 1 };
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Partial<Tabs> | null;
    const all = (found?.all ?? []).filter(
      (tab): tab is Tab => typeof tab.id === "number" && typeof tabText(tab) === "string",
    );
    return all.length === 0
      ? empty
      : { all: all.map((tab) => ({ ...emptyTab(tab.id), ...tab })), active: found?.active ?? 1 };
  } catch {
    return empty;
  }
}

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
