import type { JSX } from "preact";
import { CopyButton } from "../frame/dialog.tsx";
import type { QueryLanguage } from "../editor/query-language.ts";
import { examples } from "./examples.ts";
import { forgetQueries, pastQueries, type PastQuery, switchHistory } from "./history.ts";
import { useSite } from "../site/site-links.tsx";
import { marked } from "../value/value.tsx";
import { formatTime } from "../time/format.ts";
import type { Json } from "#storage/json.ts";
import { useData } from "../data/use-data.ts";
import { Loading, Problem } from "../frame/panel.tsx";
import { planSteps } from "./plan.ts";
import { useState } from "preact/hooks";
import { entities, type Entity, type Field, isProjectable, isQueryable } from "#storage/query/entities/index.ts";
import { ALL_ENTITIES } from "#storage/query/pql/grammar.ts";
import { astOf, entityOf, prettyAst } from "./format.ts";

interface SchemaProps {
  /** The entity of the query, which is unfolded. */
  readonly entity: string | undefined;
  /** An entity as its language writes it. */
  readonly formOf: (entity: string) => string;
  readonly onInsert: (text: string) => void;
}

/** What can be queried: entities, their fields with types, and what they relate to. A click inserts. */
function Schema({ entity, formOf, onInsert }: SchemaProps): JSX.Element {
  const [filter, setFilter] = useState("");
  const wanted = filter.trim().toLowerCase();
  const shown = ALL_ENTITIES.flatMap((name) => {
    const declared = entities[name];
    if (declared === undefined) return [];
    const fields = Object.entries(declared.fields);
    const matching = name.includes(wanted) ? fields : fields.filter(([field]) => field.includes(wanted));
    return matching.length === 0 ? [] : [{ name, declared, fields: matching }];
  });
  return (
    <div class="schema">
      <input
        type="search"
        aria-label="Filter entities and fields"
        placeholder="entity or field"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      {shown.length === 0 ? <p>No entity or field has this in its name.</p> : null}
      {shown.map(({ name, declared, fields }) => (
        <details key={`${name} ${String(wanted === "")}`} open={wanted !== "" || name === entity}>
          <summary>{name}</summary>
          <button type="button" class="plain" onClick={() => onInsert(formOf(name))}>
            insert {name}
          </button>
          <ul>
            {fields.map(([field, type]) => (
              <FieldItem key={field} name={field} field={type} onInsert={onInsert} />
            ))}
          </ul>
          <Relations entity={declared} formOf={formOf} onInsert={onInsert} />
        </details>
      ))}
    </div>
  );
}

interface FieldItemProps {
  readonly name: string;
  readonly field: Field;
  readonly onInsert: (text: string) => void;
}

function FieldItem({ name, field, onInsert }: FieldItemProps): JSX.Element {
  const limits = isQueryable(field) ? (isProjectable(field) ? "" : ", conditions only") : ", columns only";
  // A document's parts have dotted names.
  const inserted = field.type === "document" ? `${name}.` : name;
  return (
    <li>
      <button type="button" class="plain" onClick={() => onInsert(inserted)}>
        {name}
      </button>
      <span class="muted">
        {field.type}
        {limits}
      </span>
    </li>
  );
}

function Relations({
  entity,
  formOf,
  onInsert,
}: Pick<SchemaProps, "formOf" | "onInsert"> & { readonly entity: Entity }): JSX.Element | null {
  const related = Object.keys(entity.relationships).filter((name) => ALL_ENTITIES.includes(name));
  if (related.length === 0) return null;
  return (
    <p class="schema-relations">
      <span class="muted">joins </span>
      {related.sort().map((name) => (
        <button key={name} type="button" class="plain" onClick={() => onInsert(formOf(name))}>
          {name}
        </button>
      ))}
    </p>
  );
}

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

interface SiteQueriesProps {
  readonly onOpen: (query: { readonly lang: QueryLanguage; readonly text: string }) => void;
}

/** The saved queries of the site; nothing where there are none. */
function SiteQueries({ onOpen }: SiteQueriesProps): JSX.Element | null {
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

/** Queries that were run in this browser, the newest first. */
function PastQueries({ onOpen }: { readonly onOpen: (query: PastQuery) => void }): JSX.Element {
  const queries = pastQueries.value;
  return (
    <div class="past-queries">
      <p>
        <label>
          <input
            type="checkbox"
            checked={queries !== undefined}
            onChange={(event) => switchHistory(event.currentTarget.checked)}
          />{" "}
          Remember the last 100 queries in this browser
        </label>
        {queries === undefined || queries.length === 0 ? null : (
          <button type="button" class="plain" onClick={forgetQueries}>
            Forget all
          </button>
        )}
      </p>
      {queries === undefined || queries.length > 0 ? null : <p class="muted">No query was run yet.</p>}
      <ul>
        {queries?.map((query) => (
          <li key={`${query.lang} ${query.text}`}>
            <button type="button" class="query-item" onClick={() => onOpen(query)}>
              <code>{query.text.length > 300 ? `${query.text.slice(0, 300)}…` : query.text}</code>
              <span class="muted">
                {formatTime(new Date(query.at))} · {query.rows.toLocaleString()} rows · {query.ms.toLocaleString()} ms
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What each step of the query takes. The query is run for that. */
function PlanView({ query }: { readonly query: string }): JSX.Element {
  const loaded = useData<Json>({
    name: "Plan of the query",
    path: "/pdb/query/v4",
    parameters: { query, explain: "analyze" },
  });
  const { value, error } = loaded;
  if (error !== undefined) return <Problem loaded={loaded} />;
  if (value === undefined) return <Loading loaded={loaded} height={120} />;
  const steps = planSteps(value);
  const total = steps.reduce((sum, { ms }) => sum + ms, 0);
  if (steps.length === 0) return <p>The answer has no plan.</p>;
  return (
    <div class="scroll-x">
      <table class="plan">
        <caption class="muted">{total.toFixed(1)} ms of work in all threads; each step reads those below it</caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" class="number">
              Rows
            </th>
            <th scope="col" class="number">
              ms
            </th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ depth, operator, of, rows, ms }, index) => (
            // Steps have no identity but their place.
            // oxlint-disable-next-line react/no-array-index-key -- see above
            <tr key={index}>
              <th scope="row" style={{ paddingInlineStart: `${depth * 10}px` }} title={of}>
                {operator}
                {of === "" ? null : <div class="muted plan-of">{of.slice(0, 160)}</div>}
              </th>
              <td class="number">{rows.toLocaleString()}</td>
              <td class="number">{ms.toFixed(2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
