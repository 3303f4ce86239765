import type { JSX } from "preact";
import { useParameter } from "../address/address.ts";
import { text } from "../address/codecs.ts";
import { useData } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { type FoundBeans, useBeans } from "./use-beans.ts";

const codec = text();

/** MBeans as PuppetDB names them, and the attributes of one. */
export function Beans(): JSX.Element {
  const loaded = useData<FoundBeans>({ name: "MBeans", path: "/metrics/v2/search/*:*" });
  const [filter, setFilter] = useParameter("q", codec);
  const [chosen, choose] = useParameter("mbean", codec);
  const names = loaded.value?.value ?? [];
  const shown = names.filter((name) => name.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <Panel title="MBeans" loaded={loaded} actions={<span class="muted">{names.length.toLocaleString()} MBeans</span>}>
      <input
        data-filter
        aria-label="Filter MBeans by name"
        placeholder="Filter by name"
        class="wide"
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value, { push: false })}
      />
      {/* Scrolling by keyboard needs a focus. */}
      <ul class="beans" tabIndex={0} aria-label="MBeans">
        {shown.map((name) => (
          <li key={name}>
            <button type="button" class="plain mono" aria-pressed={name === chosen} onClick={() => choose(name)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {chosen === "" ? null : <Bean name={chosen} />}
    </Panel>
  );
}

function Bean({ name }: { readonly name: string }): JSX.Element {
  const { values, error } = useBeans([name]);
  const attributes = values?.[0];
  if (error !== undefined) return <p class="problem">{error}</p>;
  if (values !== undefined && attributes === undefined) return <p>There is no MBean with this name.</p>;
  return (
    <div class="scroll-x">
      <table class="wide">
        <caption class="mono">{name}</caption>
        <tbody>
          {Object.entries((attributes ?? {}) as Record<string, unknown>).map(([attribute, value]) => (
            <tr key={attribute}>
              <th scope="row">{attribute}</th>
              <td class="mono wrap">{typeof value === "string" ? value : JSON.stringify(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
