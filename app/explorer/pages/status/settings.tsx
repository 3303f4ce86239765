import type { JSX } from "preact";
import type { Answer } from "../../api/shapes.ts";
import { useParameter, useText } from "../address/address.ts";
import { flag } from "../address/codecs.ts";
import { useAnswer } from "../data/use-data.ts";
import { Panel } from "../frame/panel.tsx";
import { type SmallColumn, SmallTable } from "../list/small-table.tsx";
import { SearchField } from "../list/search-field.tsx";
import { holds, Text } from "../value/value.tsx";

/** Characters of a value. */
const SHOWN = 300;

const columns: readonly SmallColumn<Answer<"settings">["settings"][number]>[] = [
  [
    "Setting",
    ({ section, name }) => (
      <>
        <span class="muted">[{section}]</span> <Text text={name} limit={SHOWN} />
      </>
    ),
    "wrap",
  ],
  [
    "Value",
    ({ value }) => (value === null ? <span class="muted">none</span> : <Text text={value} limit={SHOWN} />),
    "wrap",
  ],
  ["Set by", ({ from }) => <Text text={from} limit={SHOWN} />, "wrap"],
  ["Note", ({ note }) => <Text text={note} limit={SHOWN} />, "wrap"],
];

/** The settings in use, and where each is set: those that somebody set, or all. */
export function SettingsPanel(): JSX.Element {
  const [isAll, setAll] = useParameter("defaults", flag);
  const [needle, setNeedle] = useText("setting");
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
          <SmallTable
            class="wide"
            label="Settings"
            rows={shown}
            keyOf={({ section, name, from }) => `${section} ${name} ${from}`}
            columns={columns}
          />
        </div>
      )}
    </Panel>
  );
}
