import type { JSX } from "preact";
import { useParameter, withParameters } from "../address/address.ts";
import { flag, text } from "../address/codecs.ts";
import type { About } from "../../api/shapes.ts";
import { about } from "../data/about.ts";
import { formatTime } from "../time/format.ts";
import { marked } from "../value/value.tsx";
import { AllNodes } from "./archive-nodes.tsx";
import { ArchiveNode } from "./archive-node.tsx";

const nodeCodec = text();

/** What differs between the served archive and the older one: of all nodes, or of one. */
export function ArchiveComparison(): JSX.Element | null {
  const [certname] = useParameter("node", nodeCodec);
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
