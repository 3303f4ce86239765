import type { JSX } from "preact";
import { useParameter } from "../address/address.ts";
import { flag } from "../address/codecs.ts";
import { useEnvironment } from "../address/environment.ts";
import { later } from "../frame/later.tsx";
import { inEnvironment } from "../pql/environment.ts";

const TraitsPanel = later(() => import("./traits-panel.tsx"), <div class="skeleton" aria-hidden="true" />);

/** What the nodes that a page is about have in common, when somebody wants to know. @param selection a PQL condition of nodes */
export function SharedTraits({ selection }: { readonly selection: string }): JSX.Element {
  const environment = useEnvironment();
  const [shares, setShares] = useParameter("share", flag);
  if (!shares) {
    return (
      <p>
        <button type="button" onClick={() => setShares(true)}>
          What do these nodes share?
        </button>
      </p>
    );
  }
  return (
    <TraitsPanel
      selection={selection}
      baseline={inEnvironment("nodes", environment)}
      present={{ line: "", filters: [] }}
      onClose={() => setShares(false)}
    />
  );
}
