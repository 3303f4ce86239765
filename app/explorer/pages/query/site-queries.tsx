import type { JSX } from "preact";
import { useData } from "../data/use-data.ts";
import type { QueryLanguage } from "../editor/query-language.ts";

/** What `/explorer/api/v1/queries` answers. */
interface SiteQueriesAnswer {
  readonly title: string | null;
  readonly queries: readonly { readonly name: string; readonly language: QueryLanguage; readonly text: string }[];
  readonly problem: string | null;
}

export interface SiteQueriesProps {
  readonly onOpen: (query: { readonly lang: QueryLanguage; readonly text: string }) => void;
}

/** The saved queries of the site; nothing where there are none. */
export function SiteQueries({ onOpen }: SiteQueriesProps): JSX.Element | null {
  const { value } = useData<SiteQueriesAnswer>({ name: "Saved queries", path: "/explorer/api/v1/queries" });
  if (value === undefined || (value.queries.length === 0 && value.problem === null)) return null;
  const { title, queries, problem } = value;
  return (
    <section>
      <h3>{title ?? "Saved queries"}</h3>
      {problem === null ? null : <p role="alert">The file of saved queries cannot be used: {problem}</p>}
      <ul>
        {queries.map(({ name, language, text }) => (
          <li key={name}>
            <button type="button" class="query-item" onClick={() => onOpen({ lang: language, text })}>
              <span>{name}</span>
              <code class="muted">{text}</code>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
