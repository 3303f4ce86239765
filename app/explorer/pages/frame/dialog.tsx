import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";

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
      if (before instanceof HTMLElement) before.focus();
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
