import type { ComponentChildren, JSX } from "preact";
import type { Loaded } from "../data/use-data.ts";
import { opening } from "../data/about.ts";
import { PanelBoundary } from "./panel-boundary.tsx";
import { Loading, Problem } from "./waiting.tsx";

export interface PanelProps {
  readonly title: string;
  /** The heading's level; default 2. */
  readonly level?: 2 | 3;
  /** What the panel shows: while it is on its way, a placeholder; a problem is shown in its place. */
  readonly loaded?: Loaded<unknown> | readonly Loaded<unknown>[];
  /** At the right of the heading. */
  readonly actions?: ComponentChildren;
  /** Shown instead of the content when given. */
  readonly empty?: ComponentChildren;
  /** Height of the placeholder, px. */
  readonly height?: number;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** A part of a page with its own heading. One that fails does not affect the others. */
export function Panel(props: PanelProps): JSX.Element {
  const { title, level = 2, loaded, actions, children } = props;
  const Heading = level === 2 ? "h2" : "h3";
  const parts = loaded === undefined ? [] : "isLoading" in loaded ? [loaded] : loaded;
  const isDimmed = parts.some(({ isLoading, value }) => isLoading && value !== undefined);
  return (
    <section
      class={`panel ${props.class ?? ""}`}
      aria-label={title}
      aria-busy={parts.some(({ isLoading }) => isLoading)}
    >
      <header class="panel-head">
        <Heading>{title}</Heading>
        {actions === undefined ? null : <div class="panel-actions">{actions}</div>}
      </header>
      <PanelBoundary name={title}>
        <div class={isDimmed ? "dimmed" : undefined}>
          <PanelContent {...props} parts={parts}>
            {children}
          </PanelContent>
        </div>
      </PanelBoundary>
    </section>
  );
}

function PanelContent({
  parts,
  empty,
  height = 120,
  children,
}: PanelProps & { parts: readonly Loaded<unknown>[] }): JSX.Element {
  const failed = parts.find(({ error }) => error !== undefined);
  const waiting = parts.find(({ value, error }) => value === undefined && error === undefined);
  if (failed !== undefined && failed.value === undefined) return <Problem loaded={failed} />;
  if (waiting !== undefined) return <Loading loaded={waiting} height={height} />;
  return (
    <>
      {failed === undefined ? null : <Problem loaded={failed} />}
      {empty !== undefined && empty !== null && opening.value !== undefined ? (
        <p class="muted">Nothing has been read yet.</p>
      ) : (
        (empty ?? children)
      )}
    </>
  );
}
