import type { JSX } from "preact";
import { changeParameters, href, useParameter } from "../address/address.ts";
import { flag, oneOf, text } from "../address/codecs.ts";
import { about } from "../data/about.ts";
import { ArchiveComparison } from "./archives.tsx";
import { Page } from "../frame/page.tsx";
import { visibleText } from "../value/text.ts";
import { NodeComparisonPanels, type NodeComparisonProps } from "./node-comparison.tsx";
import { NodeField } from "./node-field.tsx";
import { ReportComparisonPanels } from "./report-comparison.tsx";

const textCodec = text();
/** What is compared; without it the archives if there are two, unless two nodes are named. */
const ofCodec = oneOf(["", "archives", "nodes", "reports"], "");

const nouns = { archives: "two archives", nodes: "two nodes", reports: "two reports" } as const;

/** Why does this one differ? Two archives, two nodes, or two reports. */
export default function ComparePage(): JSX.Element {
  const [wanted] = useParameter("of", ofCodec);
  // Not "from" and "to", which are the time range of all pages.
  const [from, setFrom] = useParameter("left", textCodec);
  const [to, setTo] = useParameter("right", textCodec);
  const [withVolatile, setWithVolatile] = useParameter("volatile", flag);
  const hasArchives = about.value?.against != null;
  const of = wanted === "" ? (hasArchives && from === "" && to === "" ? "archives" : "nodes") : wanted;
  const isBoth = from !== "" && to !== "";
  const options = { from, to, withVolatile, onVolatile: setWithVolatile };
  return (
    <Page
      title="Compare"
      tabTitle={isBoth ? `${visibleText(from)}, ${visibleText(to)} · Compare` : "Compare"}
      beside={<span class="muted">{nouns[of]}</span>}
      actions={
        isBoth && of !== "archives" ? (
          <button type="button" onClick={() => changeParameters({ left: to, right: from })}>
            Swap
          </button>
        ) : undefined
      }
    >
      {hasArchives ? (
        <nav class="tabs" aria-label="What is compared">
          {(["archives", "nodes"] as const).map((one) => (
            <a key={one} href={href("compare", [], { of: one })} aria-current={one === of ? "page" : undefined}>
              {one === "archives" ? "Two archives" : "Two nodes of the newer one"}
            </a>
          ))}
        </nav>
      ) : null}
      {of === "archives" ? <ArchiveComparison /> : <TwoOfOne of={of} options={options} onFrom={setFrom} onTo={setTo} />}
    </Page>
  );
}

interface TwoOfOneProps {
  readonly of: "nodes" | "reports";
  readonly options: NodeComparisonProps;
  readonly onFrom: (certname: string) => void;
  readonly onTo: (certname: string) => void;
}

/** Two nodes, or two reports, of the served data. */
function TwoOfOne({ of, options, onFrom, onTo }: TwoOfOneProps): JSX.Element {
  const { from, to } = options;
  return (
    <>
      {of === "reports" ? null : (
        <div class="compare-nodes">
          <NodeField label="Node" certname={from} onChange={onFrom} />
          <NodeField label="compared with" certname={to} onChange={onTo} />
        </div>
      )}
      {from !== "" && to !== "" ? (
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
    </>
  );
}
