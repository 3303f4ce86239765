import type { JSX } from "preact";
import { announce } from "../frame/announcements.tsx";
import { PopupMenu } from "../frame/popup-menu.tsx";
import { asCensus, asCurl, asPuppet, copyText } from "../pql/copies.ts";

/** Copies the query in the forms that others need. @param url of this page with the query */
export function ShareMenu({ query, url }: { readonly query: string; readonly url: string }): JSX.Element {
  const forms = [
    { label: "Copy link", text: url },
    { label: "Copy as curl", text: asCurl(query) },
    { label: "Copy as census query", text: asCensus(query) },
    { label: "Copy as puppetdb_query", text: asPuppet(query) },
  ];
  return (
    <PopupMenu label="Share" button="Share">
      {(close) =>
        forms.map(({ label, text }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            onClick={() => {
              close();
              void copyText(text).then((done) => announce(done ? "Copied" : "The browser does not allow copying"));
            }}
          >
            {label}
          </button>
        ))
      }
    </PopupMenu>
  );
}
