import type { Json } from "#storage/json.ts";
import type { ComponentChildren, JSX } from "preact";
import { useId, useMemo, useRef, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import { useGrowing } from "../list/growing.tsx";
import { beginning, compactJson } from "../value/text.ts";
import { marked, Value } from "../value/value.tsx";
import { scalarText, type TreeLine, treeLines } from "./lines.ts";

const LONGEST = 2000;

/** A text with the places marked where something was found. @param needle lower case; empty: nothing is marked */
function Found({ text, needle }: { readonly text: string; readonly needle: string }): JSX.Element {
  const shown = beginning(text, LONGEST);
  const cut = shown.length < text.length ? "…" : "";
  const lower = shown.toLowerCase();
  // Some characters have more in lower case: places would not be the same.
  if (needle === "" || lower.length !== shown.length) {
    return (
      <bdi>
        {marked(shown)}
        {cut}
      </bdi>
    );
  }
  const parts: JSX.Element[] = [];
  let end = 0;
  for (let at = lower.indexOf(needle); at !== -1 && parts.length < 200; at = lower.indexOf(needle, end)) {
    parts.push(
      <span key={`${at} before`}>{marked(shown.slice(end, at))}</span>,
      <mark key={at}>{marked(shown.slice(at, at + needle.length))}</mark>,
    );
    end = at + needle.length;
  }
  return (
    <bdi>
      {parts}
      {marked(shown.slice(end))}
      {cut}
    </bdi>
  );
}

export interface TreeProps {
  /** For screen readers: "Facts". */
  readonly label: string;
  /** An object or a list, whose entries are the outermost lines. */
  readonly value: Json;
  /** Only lines whose path or value contains it, and those around them. */
  readonly search?: string;
  /** At the end of every line: a mark. */
  readonly beside?: (line: TreeLine) => ComponentChildren;
  /** Buttons and links of the line that is active or under the pointer. */
  readonly actions?: (line: TreeLine) => ComponentChildren;
}

/** Lines shown before "more". */
const STEP = 500;
const PREVIEW = 400;

/** A value as a tree. Arrow keys move, open and close; Tab moves to the buttons of the active line. */
export function Tree({ label, value, search = "", beside, actions }: TreeProps): JSX.Element {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [activeId, setActive] = useState<string | undefined>(undefined);
  const needle = search.trim().toLowerCase();
  const lines = useMemo(() => treeLines(value, open, needle), [value, open, needle]);
  const { shown, more, reach } = useGrowing(lines, { step: STEP, noun: "lines" });
  const active = Math.max(
    0,
    lines.findIndex((line) => line.id === activeId),
  );
  const toggle = (line: TreeLine): void => {
    const next = new Set(open);
    if (!next.delete(line.id)) next.add(line.id);
    setOpen(next);
  };
  const goTo = (index: number): void => {
    const line = lines[index];
    if (line === undefined) return;
    setActive(line.id);
    reach(index);
    requestAnimationFrame(() => document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: "nearest" }));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const line = lines[active];
    if (event.target !== root.current || line === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!move(event.key, line)) return;
    event.preventDefault();
  };
  const move = (key: string, line: TreeLine): boolean => {
    const canOpen = line.size !== undefined && line.size > 0;
    if (key === "ArrowDown") goTo(Math.min(lines.length - 1, active + 1));
    else if (key === "ArrowUp") goTo(Math.max(0, active - 1));
    else if (key === "Home") goTo(0);
    else if (key === "End") goTo(lines.length - 1);
    else if (key === "ArrowRight" && canOpen) {
      if (line.isOpen) goTo(active + 1);
      else toggle(line);
    } else if (key === "ArrowLeft") {
      if (line.isOpen) toggle(line);
      else goTo(parentOf(lines, active));
    } else if ((key === "Enter" || key === " ") && canOpen) toggle(line);
    else return false;
    return true;
  };
  return (
    <>
      <div
        ref={root}
        class="tree"
        role="tree"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={lines.length === 0 ? undefined : `${id}-${active}`}
        onKeyDown={onKeyDown}
      >
        {shown.map((line, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree has the focus and handles the keys
          <div
            key={line.id}
            id={`${id}-${index}`}
            role="treeitem"
            tabIndex={-1}
            class={index === active ? "tree-line tree-active" : "tree-line"}
            aria-level={line.level}
            aria-expanded={line.size === undefined || line.size === 0 ? undefined : line.isOpen}
            aria-selected={index === active}
            style={{ "--indent": `${(Math.min(line.level, 12) - 1) * 18}px` }}
            onClick={(event) => {
              setActive(line.id);
              if ((event.target as HTMLElement).closest("a, button") !== null || String(getSelection()) !== "") return;
              if (line.size !== undefined && line.size > 0) toggle(line);
            }}
          >
            <span class="tree-switch">
              {line.size === undefined || line.size === 0 ? null : <Icon name={line.isOpen ? "down" : "right"} />}
            </span>
            <span class="tree-name">
              <Found text={String(line.name)} needle={needle} />
            </span>
            <span class="tree-value">
              <LineValue line={line} needle={needle} />
            </span>
            {beside?.(line)}
            {actions === undefined ? null : <span class="tree-actions">{actions(line)}</span>}
          </div>
        ))}
      </div>
      {more}
    </>
  );
}

function LineValue({ line, needle }: { readonly line: TreeLine; readonly needle: string }): JSX.Element | null {
  const { value, size, isOpen, name } = line;
  if (size !== undefined) {
    if (isOpen) return <span class="muted">{Array.isArray(value) ? `${size} in a list` : null}</span>;
    return <span class="muted tree-preview">{marked(compactJson(value, PREVIEW).slice(0, PREVIEW))}</span>;
  }
  const text = scalarText(value);
  if (needle !== "" && text?.toLowerCase().includes(needle) === true) {
    return (
      <span class="mono">
        <Found text={text} needle={needle} />
      </span>
    );
  }
  return <Value value={value} name={String(name)} quoted />;
}

function parentOf(lines: readonly TreeLine[], index: number): number {
  const level = lines[index]?.level ?? 1;
  const parent = lines.slice(0, index).findLastIndex((line) => line.level < level);
  return parent === -1 ? index : parent;
}
