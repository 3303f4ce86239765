import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import { copyText } from "../pql/copies.ts";
import { announce } from "./page.tsx";

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** `side` is a drawer at the right edge. */
  readonly place?: "middle" | "side";
  readonly children: ComponentChildren;
}

/** A modal dialog. Esc, the button, and a click outside of it close it; the focus then returns to where it was. */
export function Dialog({ title, onClose, place = "middle", children }: DialogProps): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  // Not an effect after the next frame: keys that are typed before it must reach the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      // A key opens it without anything being focused.
      const isSomewhere = before instanceof HTMLElement && before !== document.body;
      (isSomewhere ? before : document.querySelector<HTMLElement>("main h1"))?.focus({ preventScroll: true });
    };
  }, []);
  return (
    // The dialog itself is only clicked beside its content.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- Esc closes it, which the browser reports as cancel
    <dialog
      ref={element}
      class={`dialog-${place}`}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <header class="dialog-head">
        <h2>{title}</h2>
        <button type="button" class="tool" aria-label="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  );
}

export interface CopyButtonProps {
  /** A long text is only made when it is copied. */
  readonly text: string | (() => string);
  /** For screen readers, where the content is not enough: "Copy the path". */
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Copies a text, and says that it did. */
export function CopyButton({ text, label, class: className, children }: CopyButtonProps): JSX.Element {
  const [copied, setCopied] = useState<boolean | undefined>(undefined);
  const copy = async (): Promise<void> => {
    const done = await copyText(typeof text === "string" ? text : text());
    setCopied(done);
    announce(done ? "Copied" : "The browser does not allow copying");
    setTimeout(() => setCopied(undefined), 1500);
  };
  return (
    <button type="button" class={className} aria-label={label} title={label} onClick={() => void copy()}>
      {copied === undefined ? children : copied ? "Copied" : "Not allowed"}
    </button>
  );
}
