import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { visibleText } from "../value/text.ts";
import { escapePattern, literal, query } from "../pql/text.ts";

export interface NodeFieldProps {
  readonly label: string;
  readonly certname: string;
  readonly onChange: (certname: string) => void;
}

/** Names that are offered. */
const OFFERED = 20;

/** A field for a certname, which offers those that contain what is typed. */
export function NodeField({ label, certname, onChange }: NodeFieldProps): JSX.Element {
  const id = useId();
  const [typed, setTyped] = useState(certname);
  useEffect(() => setTyped(certname), [certname]);
  const offered = useQuery<{ readonly certname: string }>(
    typed === certname
      ? undefined
      : {
          name: `Certnames, ${label}`,
          pql: query("nodes", {
            select: ["certname"],
            where: `certname ~ ${literal(escapePattern(typed))}`,
            orderBy: ["certname"],
            limit: OFFERED,
          }),
        },
  );
  return (
    <label class="compare-node">
      {label}{" "}
      <input
        type="text"
        list={id}
        value={typed}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setTyped(value);
          // One that was chosen from the list needs no further key.
          if (offered.value?.some((row) => row.certname === value) === true) onChange(value);
        }}
        onChange={(event) => onChange(event.currentTarget.value.trim())}
      />
      <datalist id={id}>
        {(offered.value ?? []).map((row) => (
          <option key={row.certname} value={row.certname}>
            {visibleText(row.certname)}
          </option>
        ))}
      </datalist>
    </label>
  );
}
