import type { JSX } from "preact";
import type { QueryLanguage } from "../editor/query-language.ts";
import { useSite } from "../site/use-site.ts";
import { marked } from "../value/value.tsx";

export interface SiteQueriesProps {
  readonly onOpen: (query: { readonly lang: QueryLanguage; readonly text: string }) => void;
}

/** The saved queries of the site; nothing where there are none. */
export function SiteQueries({ onOpen }: SiteQueriesProps): JSX.Element | null {
  const value = useSite();
  if (value === undefined || (value.queries.length === 0 && value.problem === null)) return null;
  const { title, queries, problem } = value;
  return (
    <section>
      <h3>{marked(title ?? "Saved queries")}</h3>
      {problem === null ? null : <p role="alert">The file of saved queries cannot be used: {problem}</p>}
      <ul>
        {queries.map(({ name, language, text }) => (
          <li key={name}>
            <button type="button" class="query-item" onClick={() => onOpen({ lang: language, text })}>
              <span>{marked(name)}</span>
              <code class="muted">{marked(text)}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
