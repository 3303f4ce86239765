import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Entity, type Field, entities, isProjectable, isQueryable } from "#storage/query/entities/index.ts";
import { ALL_ENTITIES } from "#storage/query/pql/grammar.ts";

export interface SchemaProps {
  /** The entity of the query, which is unfolded. */
  readonly entity: string | undefined;
  /** An entity as its language writes it. */
  readonly formOf: (entity: string) => string;
  readonly onInsert: (text: string) => void;
}

/** What can be queried: entities, their fields with types, and what they relate to. A click inserts. */
export function Schema({ entity, formOf, onInsert }: SchemaProps): JSX.Element {
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
