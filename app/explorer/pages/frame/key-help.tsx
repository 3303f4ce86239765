import type { JSX } from "preact";
import { href } from "../address/address.ts";
import { states } from "../state/states.ts";
import { StateMark } from "../state/state-mark.tsx";
import { singleKeys, switchSingleKeys } from "./keys.ts";
import { menu } from "./popup-menu.tsx";

const keys: readonly (readonly [string, string])[] = [
  ["Ctrl K", "Search everything"],
  ["/", "Go to the filter"],
  ["j k", "Next, previous row"],
  ["Enter", "Open the row"],
  ["Space", "Select the row"],
  ["[ ]", "Previous, next node or report"],
  ["v", "Friendly or raw log of a report"],
  ["r", "Refresh"],
  [".", "Show the queries of the page"],
  ["x", "Export"],
  ["e", "Choose the environment"],
  ["t", "Choose the time range"],
  ["a", "Look at the state of a past time"],
  ...menu.map(({ key, label }) => [`g ${key}`, `Go to ${label}`] as const),
  ["g w", "Go to the wall"],
  ["?", "Show this"],
];

/** All keys, and what the states of a node mean. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <>
      <div class="panels">
        <div>
          <table>
            <caption class="visually-hidden">Keys</caption>
            <tbody>
              {keys.map(([key, does]) => (
                <tr key={key}>
                  <th scope="row">
                    <kbd>{key}</kbd>
                  </th>
                  <td>{does}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p>
            <label>
              <input
                type="checkbox"
                checked={singleKeys.value}
                onChange={(event) => switchSingleKeys(event.currentTarget.checked)}
              />{" "}
              Use shortcuts of one key
            </label>
          </p>
        </div>
        <StateTable />
      </div>
      <p>
        <a href={href("help")} onClick={onClose}>
          More help
        </a>
      </p>
    </>
  );
}

/** The states of a node, the first that applies. */
export function StateTable(): JSX.Element {
  return (
    <table class="state-table">
      <caption class="visually-hidden">States of a node, the first that applies</caption>
      <tbody>
        {states.map(({ key, meaning }) => (
          <tr key={key}>
            <th scope="row">
              <StateMark state={key} />
            </th>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
