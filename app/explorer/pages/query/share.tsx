import type { JSX } from "preact";
import { announce } from "../frame/page.tsx";
import { PopupMenu } from "../frame/popup-menu.tsx";
import type { QueryLanguage } from "../editor/query-language.ts";
import { asCensus, asCensusSql, asCurl, asPuppet, copyText } from "../pql/copies.ts";

export interface ShareMenuProps {
  readonly lang: QueryLanguage;
  readonly query: string;
  /** Of this page with the query. */
  readonly url: string;
}

/** Copies the query in the forms that others need. */
export function ShareMenu({ lang, query, url }: ShareMenuProps): JSX.Element {
  const link = { label: "Copy link", text: url };
  const forms =
    lang === "sql"
      ? [link, { label: "Copy as census sql", text: asCensusSql(query) }]
      : [
          link,
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
