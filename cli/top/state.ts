import type { JsonObject } from "#storage/json.ts";
import type { StateKey } from "#storage/states/node-state.ts";
import type { NodeSummary } from "../node/summary.ts";
import type { Fleet } from "./fleet.ts";

/** A list within a page: what is chosen in it, and how it is filtered and sorted. */
export interface ListView {
  /** The key of the chosen row; undefined: the first. */
  readonly chosen: string | undefined;
  /** Where that row was, for when it is gone. */
  readonly index: number;
  readonly filter: string;
  /** The number of its order. */
  readonly order: number;
}

/** What a page is about. */
export type Subject =
  | { readonly kind: "fleet" }
  | { readonly kind: "state"; readonly state: StateKey }
  | { readonly kind: "issue"; readonly id: string; readonly what: string }
  | { readonly kind: "node"; readonly certname: string }
  | { readonly kind: "report"; readonly hash: string; readonly certname: string; readonly time: string };

/** A page, which shows one of its lists. */
export interface Page {
  readonly subject: Subject;
  /** The number of the list that is shown. */
  readonly tab: number;
  readonly views: Readonly<Record<number, ListView>>;
}

/** What was read for a page. */
export type Detail =
  | { readonly kind: "node"; readonly summary: NodeSummary | undefined }
  | { readonly kind: "rows"; readonly rows: readonly JsonObject[] }
  | { readonly kind: "problem"; readonly text: string };

/** Whether a source is followed, and whether it answers. */
export type Link =
  | { readonly kind: "still" }
  | { readonly kind: "live"; readonly at: Date }
  | { readonly kind: "gone"; readonly since: Date; readonly at: Date; readonly reason: string };

/** Everything that decides what is on the screen, and what the next key does. */
export interface State {
  /** The name of the source. */
  readonly source: string;
  readonly fleet: Fleet;
  readonly link: Link;
  /** By {@link detailKey}. */
  readonly details: ReadonlyMap<string, Detail>;
  /** The last one is shown; there is at least one. */
  readonly pages: readonly Page[];
  readonly isTyping: boolean;
  readonly isHelp: boolean;
  /** How often everything was to be read again. */
  readonly refreshes: number;
  /** The exit code, once the view is to end. */
  readonly exit: number | undefined;
  readonly rows: number;
  readonly columns: number;
}

const firstView: ListView = { chosen: undefined, index: 0, filter: "", order: 0 };

/** A page as it is opened. */
export function pageOf(subject: Subject): Page {
  return { subject, tab: 0, views: {} };
}

/** The state before the first key. */
export function firstState(start: Pick<State, "source" | "fleet" | "link" | "rows" | "columns">): State {
  return {
    ...start,
    details: new Map(),
    pages: [pageOf({ kind: "fleet" })],
    isTyping: false,
    isHelp: false,
    refreshes: 0,
    exit: undefined,
  };
}

/** The page that is shown. */
export function shownPage({ pages }: State): Page {
  return pages.at(-1) ?? pageOf({ kind: "fleet" });
}

/** The list that is shown. */
export function shownView(state: State): ListView {
  const page = shownPage(state);
  return page.views[page.tab] ?? firstView;
}

/** The state with its page changed. */
export function withPage(state: State, change: Partial<Page>): State {
  return { ...state, pages: [...state.pages.slice(0, -1), { ...shownPage(state), ...change }] };
}

/** The state with the list that is shown changed. */
export function withView(state: State, change: Partial<ListView>): State {
  const { tab, views } = shownPage(state);
  return withPage(state, { views: { ...views, [tab]: { ...shownView(state), ...change } } });
}
