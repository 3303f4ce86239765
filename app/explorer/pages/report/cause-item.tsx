import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import { href } from "../address/address.ts";
import { isWhole } from "../list/growing.tsx";
import { StateMark } from "../state/state-mark.tsx";
import { Place, ResourceLink } from "../value/resource-link.tsx";
import { beginning, refText, type ResourceRef } from "../value/text.ts";
import { marked, Text } from "../value/value.tsx";
import type { Cause } from "./causes.ts";
import { friendly } from "#storage/display/friendly.ts";

const kinds = { catalog: "No catalog", run: "The run", resource: "Resource" } as const;

/** One failure, with what was skipped because of it. */
export function CauseItem({
  cause,
  certname,
  graphOf,
}: {
  readonly cause: Cause;
  readonly certname: string;
  /** The hash of the report, where the catalog says what was skipped because of the failure. */
  readonly graphOf: string | undefined;
}): JSX.Element {
  const { kind, resource, properties, messages, place } = cause;
  const skipped = useMemo(() => cause.skipped(), [cause]);
  return (
    <li class="cause">
      <div class="cause-head">
        <StateMark state="failed" label={false} />
        <strong class="cause-subject">
          {resource === undefined ? kinds[kind] : <ResourceLink resource={resource} />}
          {properties.length === 0 ? null : <bdi> {marked(properties.join(", "))}</bdi>}
        </strong>
        <span class="cause-place">
          {cause.class === undefined ? null : (
            <a class="wrap" href={href("classes", [], { class: cause.class })}>
              <bdi>{marked(beginning(cause.class, 200))}</bdi>
            </a>
          )}
          <Place file={place?.file} line={place?.line} />
        </span>
      </div>
      {messages.map((message) => (
        <p key={message} class="cause-message wrap">
          <Text text={withoutHead(friendly(message, { certname }), kind)} isMultiline />
        </p>
      ))}
      {skipped.length === 0 ? null : <SkippedList label="Skipped because of it" skipped={skipped} />}
      {skipped.length === 0 || resource === undefined || graphOf === undefined ? null : (
        <p data-not-sent>
          <a href={href("graph", [certname], { res: refText(resource), report: graphOf })}>As a graph</a>
        </p>
      )}
    </li>
  );
}

/** Not repeated: the heading says that there is no catalog. */
function withoutHead(message: string, kind: Cause["kind"]): string {
  return kind === "catalog" ? message.replace(/^No catalog: /, "") : message;
}

/** Shown before "all". */
const SHOWN = 3;

interface SkippedListProps {
  readonly label: string;
  readonly skipped: readonly { readonly resource: ResourceRef; readonly after: ResourceRef | undefined }[];
}

/** Resources that were skipped, the nearest first; the rest on demand. */
export function SkippedList({ label, skipped }: SkippedListProps): JSX.Element {
  const [isOpened, setIsOpened] = useState(false);
  const isOpen = isOpened || isWhole.value;
  const rest = skipped.length - SHOWN;
  const shown = isOpen || rest <= 1 ? skipped : skipped.slice(0, SHOWN);
  return (
    <div class="skipped">
      <span class="muted">
        {label} ({skipped.length.toLocaleString()}):
      </span>
      <ul class={isOpen ? "skipped-all" : undefined}>
        {shown.map(({ resource, after }) => (
          <li key={refText(resource)}>
            <ResourceLink resource={resource} />
            {isOpen && after !== undefined ? (
              <span class="muted">
                {" "}
                <Icon name="left" /> waits for <bdi>{marked(beginning(refText(after), 120))}</bdi>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {rest <= 1 ? null : (
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setIsOpened(!isOpen)}>
          {isOpen ? "Fewer" : `${rest.toLocaleString()} more`}
        </button>
      )}
    </div>
  );
}
