import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PageKey } from "../address/pages.ts";
import type { IconName } from "../icons/icon.tsx";

export interface PopupMenuProps {
  /** For screen readers, where the button shows no text. */
  readonly label: string;
  /** The content of the button. */
  readonly button: ComponentChildren;
  readonly buttonClass?: string;
  /** More attributes of the button: `data-export`. */
  readonly buttonProps?: { readonly [name: `data-${string}`]: boolean; readonly tabIndex?: number } & {
    readonly disabled?: boolean;
    readonly title?: string | undefined;
  };
  /** The items, each with `role="menuitem"`; rendered while the menu is open. Call `close` when one was chosen. */
  readonly children: (close: () => void) => ComponentChildren;
}

/** A button that opens a menu. Arrow keys move in it, Esc and a click elsewhere close it. */
export function PopupMenu({ label, button, buttonClass, buttonProps, children }: PopupMenuProps): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  /** Pressing the button closes an open menu before the click arrives. */
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    if (!isOpen || menu.current === null || opener.current === null) return;
    menu.current.showPopover();
    place(menu.current, opener.current);
    itemsOf(menu.current)[0]?.focus();
  }, [isOpen]);
  const close = (): void => {
    setIsOpen(false);
    opener.current?.focus();
  };
  return (
    <>
      <button
        type="button"
        ref={opener}
        class={buttonClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        {...buttonProps}
        onPointerDown={() => {
          wasOpen.current = isOpen;
        }}
        onClick={() => {
          setIsOpen(!isOpen && !wasOpen.current);
          wasOpen.current = false;
        }}
      >
        {button}
      </button>
      {isOpen ? (
        <div
          ref={menu}
          class="popup-menu"
          popover="auto"
          role="menu"
          tabIndex={-1}
          aria-label={label}
          onToggle={(event) => {
            if (event.newState === "closed") setIsOpen(false);
          }}
          onKeyDown={(event) => {
            if (event.key === "Tab") close();
            else if (moveFocus(event.currentTarget, event.key)) {
              event.preventDefault();
              event.stopPropagation();
            }
          }}
        >
          {children(close)}
        </div>
      ) : null}
    </>
  );
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)')];
}

function moveFocus(menu: HTMLElement, key: string): boolean {
  const items = itemsOf(menu);
  const at = items.findIndex((item) => item === document.activeElement);
  const last = items.length - 1;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at === last ? 0 : at + 1,
    ArrowUp: at <= 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  const target = targets[key];
  if (target === undefined) return false;
  items[target]?.focus();
  return true;
}

const GAP = 4;

/** Below the button, or above it where there is more space; within the window. */
function place(menu: HTMLElement, opener: HTMLElement): void {
  const button = opener.getBoundingClientRect();
  const own = menu.getBoundingClientRect();
  const below = button.bottom + GAP;
  const fitsBelow = below + own.height <= innerHeight || button.top < innerHeight / 2;
  menu.style.top = `${Math.max(GAP, fitsBelow ? below : button.top - own.height - GAP)}px`;
  menu.style.left = `${Math.max(GAP, Math.min(button.left, innerWidth - own.width - GAP))}px`;
}

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
  { page: "reports", label: "Reports", icon: "reports", key: "r", covers: ["reports", "report", "runs", "run-times"] },
  { page: "events", label: "Events", icon: "events", key: "e", covers: ["events"] },
  { page: "facts", label: "Facts", icon: "facts", key: "f", covers: ["facts", "fact"] },
  { page: "resources", label: "Resources", icon: "resources", key: "c", covers: ["resources", "resource"] },
  { page: "classes", label: "Classes", icon: "classes", key: "l", covers: ["classes"] },
  { page: "packages", label: "Packages", icon: "packages", key: "p", covers: ["packages", "package"] },
  { page: "compare", label: "Compare", icon: "compare", key: "d", covers: ["compare"] },
  { page: "query", label: "Query", icon: "query", key: "q", covers: ["query"] },
  { page: "status", label: "Status", icon: "status", key: "s", covers: ["status"] },
];
