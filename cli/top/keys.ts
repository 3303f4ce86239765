import { endings } from "../signals.ts";
import { contentOf } from "./content.ts";
import { pageOf, shownPage, shownView, type State, withPage, withView } from "./state.ts";
import { detailKey, tabs } from "./tabs.ts";

type Action = (state: State) => State;

/** What keys do while no filter is typed. */
const actions: Readonly<Record<string, Action>> = {
  up: move(-1),
  k: move(-1),
  down: move(1),
  j: move(1),
  "page-up": (state) => move(-pageLength(state))(state),
  "page-down": (state) => move(pageLength(state))(state),
  " ": (state) => move(pageLength(state))(state),
  home: move(Number.NEGATIVE_INFINITY),
  g: move(Number.NEGATIVE_INFINITY),
  end: move(Number.POSITIVE_INFINITY),
  G: move(Number.POSITIVE_INFINITY),
  enter: open,
  right: open,
  escape: back,
  left: back,
  backspace: back,
  tab: turn(1),
  "shift-tab": turn(-1),
  "/": (state) => ({ ...state, isTyping: true }),
  s: sortNext,
  r: (state) => ({ ...state, refreshes: state.refreshes + 1 }),
  "?": (state) => ({ ...state, isHelp: true }),
  q: (state) => ({ ...state, exit: 0 }),
};

/**
 * The state after a key.
 * @param key a character, or the name of a key as `screen.ts` has it
 */
export function step(state: State, key: string): State {
  if (key === "ctrl-c") return { ...state, exit: endings.SIGINT };
  if (state.isHelp) return key === "q" ? { ...state, exit: 0 } : { ...state, isHelp: false };
  if (state.isTyping) return typed(state, key);
  const number = /^[1-9]$/.test(key) ? Number(key) - 1 : undefined;
  if (number !== undefined)
    return number in tabs[shownPage(state).subject.kind] ? withPage(state, { tab: number }) : state;
  return Object.hasOwn(actions, key) ? (actions[key]?.(state) ?? state) : state;
}

function typed(state: State, key: string): State {
  const { filter } = shownView(state);
  const withFilter = (text: string): State => withView(state, { filter: text, chosen: undefined, index: 0 });
  if (key === "enter") return { ...state, isTyping: false };
  if (key === "escape") return { ...withFilter(""), isTyping: false };
  if (key === "up" || key === "down") return move(key === "up" ? -1 : 1)(state);
  if (key === "ctrl-u") return withFilter("");
  if (key === "backspace" || key === "delete") {
    return filter === "" ? { ...state, isTyping: false } : withFilter(Array.from(filter).slice(0, -1).join(""));
  }
  const isCharacter = Array.from(key).length === 1 && !/\p{C}/u.test(key);
  return isCharacter && filter.length < 200 ? withFilter(filter + key) : state;
}

function pageLength({ rows }: State): number {
  // About ten lines of the screen are no rows of the list.
  return Math.max(1, rows - 10);
}

/** Chooses another row. @param by how many rows further down */
function move(by: number): Action {
  return (state) => {
    const { rows, chosen } = contentOf(state);
    const index = Math.max(0, Math.min(rows.length - 1, chosen + by));
    return withView(state, { chosen: rows[index]?.key, index });
  };
}

function open(state: State): State {
  const { rows, chosen } = contentOf(state);
  const subject = rows[chosen]?.opens;
  if (subject === undefined) return state;
  // The chosen row stays chosen when more rows come before it.
  const left = withView(state, { chosen: rows[chosen]?.key, index: chosen });
  return { ...left, pages: [...left.pages, pageOf(subject)] };
}

/** Removes the filter, else leaves the page; the first page stays. */
function back(state: State): State {
  if (shownView(state).filter !== "") return withView(state, { filter: "", index: 0 });
  return state.pages.length > 1 ? { ...state, pages: state.pages.slice(0, -1) } : state;
}

function turn(by: number): Action {
  return (state) => {
    const { subject, tab } = shownPage(state);
    const { length } = tabs[subject.kind];
    return withPage(state, { tab: (tab + by + length) % length });
  };
}

function sortNext(state: State): State {
  const { list } = contentOf(state);
  const { order } = shownView(state);
  return list.orders.length === 0 ? state : withView(state, { order: (order + 1) % list.orders.length });
}

/** The detail that has to be read for what is shown; undefined: nothing, or it was read. */
export function missingDetail(state: State): string | undefined {
  const key = detailKey(shownPage(state));
  return key === undefined || state.details.has(key) ? undefined : key;
}
