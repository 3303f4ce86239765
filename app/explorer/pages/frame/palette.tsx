import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { go, href } from "../address/address.ts";
import { Dialog } from "./dialog.tsx";
import { menu } from "./menu.ts";

/** Goes to a page by its name. */
export function Palette({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const [typed, setTyped] = useState("");
  const found = menu.filter(({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase()));
  return (
    <Dialog title="Search" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (found[0] !== undefined) go(href(found[0].page));
          onClose();
        }}
      >
        <input aria-label="Search" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
      </form>
      <ul>
        {found.map(({ page, label }) => (
          <li key={page}>
            <a href={href(page)} onClick={onClose}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
