import type { JSX } from "preact";
import { changeParameters, href, useParameter, useText, withParameters } from "../address/address.ts";
import { flag, oneOf } from "../address/codecs.ts";
import { about } from "../data/about.ts";
import { Page } from "../frame/page.tsx";
import { Tabs } from "../frame/tabs.tsx";
import { visibleText } from "../value/text.ts";
import { type NodeAtTime, NodeComparisonPanels } from "./node-comparison.tsx";
import { ReportComparisonPanels } from "./report-comparison.tsx";
import type { About } from "../../api/shapes.ts";
import { formatTime, now, seen } from "../time/format.ts";
import { TypedField } from "../time/typed-field.tsx";
import { typedTime } from "#storage/time/typed.ts";
import { offeredTimes, readPast } from "../as-of/choice.tsx";
import { recordedTime, timeCodec } from "../data/as-of.ts";
import { marked } from "../value/value.tsx";
import { AllNodes, ArchiveNode } from "./archive-nodes.tsx";
import { useEffect, useState } from "preact/hooks";
import { useQuery } from "../data/use-query.ts";
import { Combobox } from "../filter-line/combobox.tsx";
import { escapePattern, literal, query } from "../pql/text.ts";

interface SideFieldsProps {
  readonly label: string;
  readonly side: NodeAtTime;
  readonly onChange: (side: NodeAtTime) => void;
}

/** Names that are offered. */
const OFFERED = 20;

/** A field for a certname, which offers those that contain what is typed, and one for a time where changes are recorded. */
function SideFields({ label, side, onChange }: SideFieldsProps): JSX.Element {
  const { certname, at } = side;
  const shown = at === "" ? undefined : recordedTime(at);
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
  const take = (text: string): string | undefined => {
    const time = readPast(text, now.value);
    if (typeof time === "string") return time;
    onChange({ ...side, at: time.getTime() === now.value.getTime() ? "" : time.toISOString() });
    return undefined;
  };
  return (
    <div class="compare-node">
      <span aria-hidden="true">{label}</span>
      <Combobox
        label={label}
        value={typed}
        choices={(offered.value ?? []).map(({ certname: name }) => ({
          key: name,
          content: <bdi>{visibleText(name)}</bdi>,
          choose: () => onChange({ ...side, certname: name }),
        }))}
        onInput={setTyped}
        onEnter={() => onChange({ ...side, certname: typed.trim() })}
        onLeave={() => onChange({ ...side, certname: typed.trim() })}
      />
      {about.value?.history == null ? null : (
        <div class="compare-time">
          <span aria-hidden="true">at</span>
          <TypedField
            label={`${label}, at the time`}
            value={shown === undefined ? "now" : typedTime(Date.parse(shown), seen().zone)}
            offered={["now", ...offeredTimes(now.value)]}
            take={take}
          />
        </div>
      )}
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

/** Why does this one differ? Two archives, two nodes, one node at two times, or two reports. */
export default function ComparePage(): JSX.Element {
  const [wanted] = useParameter("of", ofCodec);
  // Not "from" and "to", which are the time range of all pages.
  const [left] = useText("left");
  const [right] = useText("right");
  const [leftAt] = useParameter("left_at", timeCodec);
  const [rightAt] = useParameter("right_at", timeCodec);
  const [withVolatile, setWithVolatile] = useParameter("volatile", flag);
  const hasArchives = about.value?.against != null;
  const of = wanted === "" ? (hasArchives && left === "" && right === "" ? "archives" : "nodes") : wanted;
  const isBoth = left !== "" && right !== "";
  const volatile = { withVolatile, onVolatile: setWithVolatile };
  const [from, to] = [
    { certname: left, at: leftAt },
    { certname: right, at: rightAt },
  ];
  return (
    <Page
      title="Compare"
      tabTitle={isBoth ? `${visibleText(left)}, ${visibleText(right)} · Compare` : "Compare"}
      beside={
        <span class="muted">{of === "nodes" && isBoth && left === right ? "one node at two times" : nouns[of]}</span>
      }
      actions={
        isBoth && of !== "archives" ? (
          <button type="button" onClick={() => changeSides(to, from)}>
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
      {of === "nodes" ? (
        <div class="compare-nodes">
          <SideFields label="Node" side={from} onChange={(side) => changeSides(side, to)} />
          <SideFields label="compared with" side={to} onChange={(side) => changeSides(from, side)} />
        </div>
      ) : null}
      {of === "archives" ? (
        <ArchiveComparison />
      ) : !isBoth ? (
        <p>{missing[of]}</p>
      ) : of === "nodes" ? (
        <NodeComparisonPanels from={from} to={to} {...volatile} />
      ) : (
        <ReportComparisonPanels from={left} to={right} {...volatile} />
      )}
    </Page>
  );
}

const missing = {
  nodes: "Name two nodes. A node's page, and the list of nodes with two selected, lead here as well.",
  reports: "The address names no two reports. A report's page leads to the comparison with the one before.",
} as const;

function changeSides(from: NodeAtTime, to: NodeAtTime): void {
  changeParameters({
    left: from.certname === "" ? undefined : from.certname,
    right: to.certname === "" ? undefined : to.certname,
    left_at: timeCodec.write(from.at),
    right_at: timeCodec.write(to.at),
  });
}
