import type { JSX } from "preact";
import { useEnvironment, useParameter } from "../address/address.ts";
import { flag } from "../address/codecs.ts";
import { TraitsPanel } from "./traits-panel.tsx";
import { inEnvironment } from "../pql/text.ts";

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
