import type { JSX } from "preact";
import { changeParameters, useParameter } from "../address/address.ts";
import { flag, oneOf, text } from "../address/codecs.ts";
import { Page } from "../frame/page.tsx";
import { visibleText } from "../value/text.ts";
import { NodeComparisonPanels } from "./node-comparison.tsx";
import { NodeField } from "./node-field.tsx";
import { ReportComparisonPanels } from "./report-comparison.tsx";
import "./compare.css";

const textCodec = text();
const ofCodec = oneOf(["nodes", "reports"], "nodes");

/** Why does this one differ? Two nodes, or two reports. */
export default function ComparePage(): JSX.Element {
  const [of] = useParameter("of", ofCodec);
  // Not "from" and "to", which are the time range of all pages.
  const [from, setFrom] = useParameter("left", textCodec);
  const [to, setTo] = useParameter("right", textCodec);
  const [withVolatile, setWithVolatile] = useParameter("volatile", flag);
  const isBoth = from !== "" && to !== "";
  const options = { from, to, withVolatile, onVolatile: setWithVolatile };
  return (
    <Page
      title="Compare"
      tabTitle={isBoth ? `${visibleText(from)}, ${visibleText(to)} · Compare` : "Compare"}
      beside={<span class="muted">{of === "nodes" ? "two nodes" : "two reports"}</span>}
      actions={
        isBoth ? (
          <button type="button" onClick={() => changeParameters({ left: to, right: from })}>
            Swap
          </button>
        ) : undefined
      }
    >
      {of === "reports" ? null : (
        <div class="compare-nodes">
          <NodeField label="Node" certname={from} onChange={setFrom} />
          <NodeField label="compared with" certname={to} onChange={setTo} />
        </div>
      )}
      {isBoth ? (
        of === "nodes" ? (
          <NodeComparisonPanels {...options} />
        ) : (
          <ReportComparisonPanels {...options} />
        )
      ) : (
        <p>
          {of === "nodes"
            ? "Name two nodes. A node's page, and the list of nodes with two selected, lead here as well."
            : "The address names no two reports. A report's page leads to the comparison with the one before."}
        </p>
      )}
    </Page>
  );
}
