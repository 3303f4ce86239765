import type { JSX } from "preact";
import { changeParameters, href, useParameter, useText, withParameters } from "../address/address.ts";
import { flag, oneOf } from "../address/codecs.ts";
import { about } from "../data/about.ts";
import { Page } from "../frame/page.tsx";
import { Tabs } from "../frame/tabs.tsx";
import { visibleText } from "../value/text.ts";
import { NodeComparisonPanels, type NodeComparisonProps } from "./node-comparison.tsx";
import { ReportComparisonPanels } from "./report-comparison.tsx";
import type { About } from "../../api/shapes.ts";
import { formatTime } from "../time/format.ts";
import { marked } from "../value/value.tsx";
import { AllNodes, ArchiveNode } from "./archive-nodes.tsx";
import { useEffect, useState } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { Combobox } from "../filter-line/combobox.tsx";
import { escapePattern, literal, query } from "../pql/text.ts";

interface NodeFieldProps {
  readonly label: string;
  readonly certname: string;
  readonly onChange: (certname: string) => void;
}

/** Names that are offered. */
const OFFERED = 20;

/** A field for a certname, which offers those that contain what is typed. */
function NodeField({ label, certname, onChange }: NodeFieldProps): JSX.Element {
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

/** What differs between the served archive and the older one: of all nodes, or of one. */
function ArchiveComparison(): JSX.Element | null {
  const [certname] = useText("node");
  const [withVolatile, setWithVolatile] = useParameter("volatile", flag);
  const known = about.value;
  if (known?.against == null) return <NoOther />;
  const sides = sidesOf(known, known.against);
  const options = { sides, withVolatile, onVolatile: setWithVolatile };
  return (
    <>
      <p>
        <bdi>{marked(known.against.name)}</bdi> <span class="muted">as of {formatTime(known.against.now)}</span>,
        compared with <bdi>{marked(known.source.name)}</bdi> <span class="muted">as of {formatTime(known.now)}</span>
        {certname === "" ? null : (
          <>
            {" · "}
            <a href={withParameters(location.href, { node: undefined, part: undefined })}>all nodes</a>
          </>
        )}
      </p>
      {certname === "" ? <AllNodes {...options} /> : <ArchiveNode key={certname} certname={certname} {...options} />}
    </>
  );
}

/** The archives' names; those of the same name by their times. */
function sidesOf({ source, now }: About, against: NonNullable<About["against"]>): [from: string, to: string] {
  if (source.name !== against.name) return [against.name, source.name];
  return [`${against.name}, ${formatTime(against.now)}`, `${source.name}, ${formatTime(now)}`];
}

function NoOther(): JSX.Element {
  return (
    <p>
      Only one archive is open. Start with another one to compare: <code>census open new.tgz --against old.tgz</code>
    </p>
  );
}

/** What is compared; without it the archives if there are two, unless two nodes are named. */
const ofCodec = oneOf(["", "archives", "nodes", "reports"], "");

const nouns = { archives: "two archives", nodes: "two nodes", reports: "two reports" } as const;

/** Why does this one differ? Two archives, two nodes, or two reports. */
export default function ComparePage(): JSX.Element {
  const [wanted] = useParameter("of", ofCodec);
  // Not "from" and "to", which are the time range of all pages.
  const [from, setFrom] = useText("left");
  const [to, setTo] = useText("right");
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
        <Tabs
          label="What is compared"
          chosen={of}
          tabs={[
            { key: "archives", label: "Two archives", href: href("compare", [], { of: "archives" }) },
            { key: "nodes", label: "Two nodes of the newer one", href: href("compare", [], { of: "nodes" }) },
          ]}
        />
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
