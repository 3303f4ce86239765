import type { JSX } from "preact";
import { CopyButton } from "../frame/copy-button.tsx";
import type { QueryLanguage } from "../editor/query-language.ts";
import { astOf, entityOf, prettyAst } from "./ast.ts";
import { examples } from "./examples.ts";
import type { PastQuery } from "./history.ts";
import { PastQueries } from "./past-queries.tsx";
import { PlanView } from "./plan.tsx";
import { Schema } from "./schema.tsx";
import { SiteQueries } from "./site-queries.tsx";

export const sides = ["fields", "examples", "history", "ast", "plan"] as const;

export type Side = (typeof sides)[number];

const sideNames: Readonly<Record<Side, string>> = {
  fields: "Fields",
  examples: "Examples",
  history: "History",
  ast: "AST",
  plan: "Plan",
};

export interface SidePanelProps {
  readonly side: Side;
  readonly onSide: (side: Side) => void;
  readonly lang: QueryLanguage;
  readonly text: string;
  /** The query that ran last, which the plan is of. */
  readonly ran: string | undefined;
  readonly onInsert: (text: string) => void;
  readonly onOpen: (query: Pick<PastQuery, "lang" | "text">) => void;
}

/** What helps to write a query, and what became of it. */
export function SidePanel({ side, onSide, lang, text, ran, onInsert, onOpen }: SidePanelProps): JSX.Element {
  return (
    <aside class="query-side" aria-label="Help with the query">
      <div class="query-side-tabs" role="group" aria-label="Show">
        {sides.map((one) => (
          <button key={one} type="button" aria-pressed={side === one} onClick={() => onSide(one)}>
            {sideNames[one]}
          </button>
        ))}
      </div>
      {/* Its own scroll bar has to be reached by the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above */}
      <div class="query-side-content" tabIndex={0} role="region" aria-label={sideNames[side]}>
        {side === "fields" ? (
          <Schema
            entity={entityOf(astOf(text, lang))}
            formOf={(name) => (lang === "sql" ? name : `${name}{  }`)}
            onInsert={onInsert}
          />
        ) : null}
        {side === "examples" ? <Examples onOpen={onOpen} /> : null}
        {side === "history" ? <PastQueries onOpen={onOpen} /> : null}
        {side === "ast" ? <AstView text={text} lang={lang} /> : null}
        {side === "plan" ? (
          ran === undefined ? (
            <p>Run a query in PQL or AST first.</p>
          ) : (
            <PlanView query={ran} />
          )
        ) : null}
      </div>
    </aside>
  );
}

function Examples({ onOpen }: Pick<SidePanelProps, "onOpen">): JSX.Element {
  return (
    <>
      <SiteQueries onOpen={onOpen} />
      {examples.map(({ task, queries }) => (
        <section key={task}>
          <h3>{task}</h3>
          <ul>
            {queries.map(({ label, pql }) => (
              <li key={label}>
                <button type="button" class="query-item" onClick={() => onOpen({ lang: "pql", text: pql })}>
                  <span>{label}</span>
                  <code class="muted">{pql}</code>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function AstView({ text, lang }: Pick<SidePanelProps, "text" | "lang">): JSX.Element {
  const ast = astOf(text, lang);
  if (lang === "sql") return <p>SQL has no AST.</p>;
  if (ast === undefined)
    return <p>{text.trim() === "" ? "Write a query to see its AST." : "The query is not well-formed."}</p>;
  const pretty = prettyAst(ast);
  return (
    <>
      <CopyButton text={pretty} class="plain">
        Copy
      </CopyButton>
      <pre>{pretty}</pre>
    </>
  );
}
