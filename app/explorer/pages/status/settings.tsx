import type { JSX } from "preact";
import { useParameter } from "../address/address.ts";
import { flag, text } from "../address/codecs.ts";
import { useAnswer } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { SearchField } from "../list/search-field.tsx";
import { holds, Text } from "../value/value.tsx";

const textCodec = text();

/** Characters of a value. */
const SHOWN = 300;

/** The settings in use, and where each is set: those that somebody set, or all. */
export function SettingsPanel(): JSX.Element {
  const [isAll, setAll] = useParameter("defaults", flag);
  const [needle, setNeedle] = useParameter("setting", textCodec);
  const loaded = useAnswer("settings", { name: "Settings" });
  const all = loaded.value?.settings ?? [];
  const shown = all.filter(
    ({ name, section, from }) => (isAll || from !== "default") && holds(`${section} ${name}`, needle),
  );
  return (
    <Panel
      title="Settings"
      loaded={loaded}
      empty={
        loaded.value !== undefined && all.length === 0 ? (
          <p class="muted">An archive or a fixture is served without settings.</p>
        ) : undefined
      }
    >
      <div class="list-filters">
        <SearchField label="Search settings" value={needle} onChange={(value) => setNeedle(value, { push: false })} />
        <label>
          <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} /> Defaults
          too
        </label>
      </div>
      {shown.length === 0 ? (
        <p class="muted">{needle === "" ? "All settings have their defaults." : "No setting has this in its name."}</p>
      ) : (
        <div class="scroll-x">
          <table class="wide" aria-label="Settings">
            <thead>
              <tr>
                <th scope="col">Setting</th>
                <th scope="col">Value</th>
                <th scope="col">Set by</th>
                <th scope="col">Note</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ section, name, value, from, note }) => (
                <tr key={`${section} ${name} ${from}`}>
                  <th scope="row" class="wrap">
                    <span class="muted">[{section}]</span> <Text text={name} limit={SHOWN} />
                  </th>
                  <td class="wrap">
                    {value === null ? <span class="muted">none</span> : <Text text={value} limit={SHOWN} />}
                  </td>
                  <td class="wrap">
                    <Text text={from} limit={SHOWN} />
                  </td>
                  <td class="wrap">
                    <Text text={note} limit={SHOWN} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
