import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { Combobox } from "../filter-line/combobox.tsx";
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
    <div class="compare-node">
      <span aria-hidden="true">{label}</span>
      <Combobox
        label={label}
        value={typed}
        choices={(offered.value ?? []).map(({ certname: name }) => ({
          key: name,
          content: <bdi>{visibleText(name)}</bdi>,
          choose: () => onChange(name),
        }))}
        onInput={setTyped}
        onEnter={() => onChange(typed.trim())}
        onLeave={() => onChange(typed.trim())}
      />
    </div>
  );
}
