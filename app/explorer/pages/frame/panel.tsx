import { Component, type ComponentChildren, type JSX } from "preact";
import type { Loaded } from "../data/use-data.ts";
import { opening } from "../data/about.ts";
import { useEffect, useState } from "preact/hooks";
import { workbenchHref } from "../pql/text.ts";

/** Nothing for 150 ms, then a placeholder; after 2 s the time and a way to stop. */
export function Loading({ loaded, height }: { loaded: Loaded<unknown>; height: number }): JSX.Element {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const started = performance.now();
    const timer = setInterval(() => setSeconds((performance.now() - started) / 1000), 500);
    return () => clearInterval(timer);
  }, [loaded.isLoading]);
  return (
    <div class="loading" style={{ minHeight: `${height}px` }}>
      <div class="skeleton" aria-hidden="true" />
      {seconds < 2 ? null : (
        <p role="status">
          Loading for {Math.floor(seconds)} s.{" "}
          <button type="button" onClick={loaded.cancel}>
            Cancel
          </button>
        </p>
      )}
    </div>
  );
}

/** Why something cannot be shown: the server's message, and what the user can do. */
export function Problem({ loaded }: { loaded: Loaded<unknown> }): JSX.Element | null {
  const { error, pql, reload } = loaded;
  if (error === undefined) return null;
  return (
    <div class="problem" role="alert">
      <p>{headline(error.status)}</p>
      <pre>{error.message}</pre>
      <p class="problem-actions">
        <button type="button" onClick={reload}>
          Try again
        </button>
        {pql === undefined ? null : <a href={workbenchHref(pql)}>Open the query in the workbench</a>}
      </p>
    </div>
  );
}

function headline(status: number): string {
  if (status === 0) return "The server did not answer.";
  if (status === 403) return "The access rules deny this. The log of the server says which rule.";
  if (status === 404) return "Not found.";
  if (status === 503 || status === 504)
    return "The server is busy, or the query took too long. Narrow it, or try again.";
  return status >= 500 ? "The server failed." : "The server refused the query.";
}

interface Props {
  readonly name: string;
  readonly children?: ComponentChildren;
}

/** Keeps a defect in one part of a page from taking the rest with it. */
export class PanelBoundary extends Component<Props, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static override getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ComponentChildren {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div class="problem" role="alert">
        <p>This part of the page failed: {this.props.name}. It is a defect of Census; please report the text below.</p>
        <pre>{`${error.name}: ${error.message}\n${error.stack ?? ""}`.slice(0, 2000)}</pre>
        <button type="button" onClick={() => this.setState({ error: undefined })}>
          Try again
        </button>
      </div>
    );
  }
}

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
