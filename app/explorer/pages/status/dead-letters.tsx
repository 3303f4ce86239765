import type { JSX } from "preact";
import { useAnswer } from "../data/use-data.ts";
import { CopyButton } from "../frame/dialog.tsx";
import { Panel } from "../frame/panel.tsx";
import { useGrowing } from "../list/growing.tsx";
import { Age } from "../time/age.tsx";
import { formatBytes } from "../value/text.ts";
import { Text } from "../value/value.tsx";

/** Characters of a certname, and of a reason. */
const SHOWN = 300;

/** Commands that could not be stored, and what shows one in full. */
export function DeadLettersPanel(): JSX.Element {
  const loaded = useAnswer("dead-letters", { name: "Dead letters" });
  const { total = 0, letters = [] } = loaded.value ?? {};
  const { shown, more } = useGrowing(letters, { step: 20, noun: "dead letters" });
  return (
    <Panel
      title={total === 0 ? "Dead letters" : `Dead letters (${total.toLocaleString()})`}
      loaded={loaded}
      empty={loaded.value !== undefined && total === 0 ? <p class="muted">All commands were stored.</p> : undefined}
    >
      <div class="scroll-x">
        <table class="wide" aria-label="Dead letters">
          <thead>
            <tr>
              <th scope="col">Received</th>
              <th scope="col">Command</th>
              <th scope="col">Node</th>
              <th scope="col">Reason</th>
              <th scope="col" class="number">
                Size
              </th>
              <th scope="col">To show it</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((letter) => (
              <tr key={letter.name}>
                <td>
                  <Age time={letter.received} />
                </td>
                <td>{letter.command}</td>
                <th scope="row" class="wrap">
                  <Text text={letter.certname} limit={SHOWN} />
                </th>
                <td class="wrap">
                  <Text text={letter.reason} limit={SHOWN} />
                </td>
                <td class="number">{formatBytes(letter.size)}</td>
                <td>
                  <CopyButton
                    class="plain"
                    text={`census dead-letters show '${letter.name.replaceAll("'", String.raw`'\''`)}'`}
                    label={`Copy command that shows ${letter.name}`}
                  >
                    Copy command
                  </CopyButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more}
      {total > letters.length ? (
        <p class="muted">
          The newest {letters.length.toLocaleString()}; <code>census dead-letters list</code> has all.
        </p>
      ) : null}
    </Panel>
  );
}
