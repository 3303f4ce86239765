import type { ComponentChildren, JSX } from "preact";
import { useParameter } from "../address/address.ts";
import { list } from "../address/codecs.ts";
import { PanelBoundary } from "../frame/panel-boundary.tsx";
import { isWhole } from "../list/whole.ts";

const codec = list();

export interface FoldedProps {
  /** Its name in the address, so that a reload finds it open. */
  readonly part: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A panel that is closed at first. */
export function Folded({ part, title, children }: FoldedProps): JSX.Element {
  const [open, setOpen] = useParameter("open", codec);
  const isOpen = open.includes(part) || isWhole.value;
  return (
    <section class="panel" aria-label={title}>
      <h2 class="folded-head">
        <button
          type="button"
          class="plain"
          aria-expanded={isOpen}
          onClick={() => setOpen(isOpen ? open.filter((one) => one !== part) : [...open, part], { push: false })}
        >
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {title}
        </button>
      </h2>
      {isOpen ? <PanelBoundary name={title}>{children}</PanelBoundary> : null}
    </section>
  );
}
