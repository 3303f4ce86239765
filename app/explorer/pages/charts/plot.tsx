import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { movedTo, spanAt } from "./axis.ts";

export interface PlotProps {
  /** What is shown, for screen readers. */
  readonly label: string;
  /** Px. */
  readonly width: number;
  readonly height: number;
  /** Edges of the marks, px from the left; one more than there are marks. */
  readonly edges: readonly number[];
  /** Where marks are drawn, px from the top. */
  readonly top: number;
  readonly bottom: number;
  /** What a mark says, for screen readers. */
  readonly read: (index: number) => string;
  /** Called with the mark under the pointer or the keyboard; undefined: none. */
  readonly onRead: (index: number | undefined) => void;
  /** Called with the first and last mark of a selection. Without it nothing can be selected. */
  readonly onSelect?: ((first: number, last: number) => void) | undefined;
  /** Marks, axes. */
  readonly children: ComponentChildren;
}

interface Selection {
  readonly anchor: number;
  readonly end: number;
}

/** A press that moves less than this is a click, px. */
const DRAG = 5;

/**
 * The area of a chart, which the pointer and the keyboard read in the same way: arrows go from mark to mark, with Shift they
 * select. To screen readers it is a slider whose values are the readings.
 */
export function Plot(props: PlotProps): JSX.Element {
  const { label, width, height, edges, top, bottom, read, onRead, onSelect, children } = props;
  const count = edges.length - 1;
  const [at, setAt] = useState<number | undefined>(undefined);
  const [selection, setSelection] = useState<Selection | undefined>(undefined);
  const press = useRef<{ x: number; index: number } | undefined>(undefined);

  const show = (index: number | undefined): void => {
    setAt(index);
    onRead(index);
  };
  const finish = (chosen: Selection | undefined): void => {
    setSelection(undefined);
    if (chosen !== undefined) onSelect?.(Math.min(chosen.anchor, chosen.end), Math.max(chosen.anchor, chosen.end));
  };
  const indexAt = (event: PointerEvent): number => spanAt(edges, event.offsetX);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" && selection !== undefined) {
      event.preventDefault();
      finish(selection);
      return;
    }
    if (event.key === "Escape" && selection !== undefined) {
      event.preventDefault();
      finish(undefined);
      return;
    }
    const next = movedTo(event.key, at, count);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
    if (onSelect !== undefined) {
      setSelection(event.shiftKey ? { anchor: selection?.anchor ?? at ?? next, end: next } : undefined);
    }
  };

  return (
    <div
      class={onSelect === undefined ? "plot" : "plot plot-selectable"}
      role="slider"
      tabIndex={0}
      aria-label={onSelect === undefined ? label : `${label}. Shift and arrows select a range, Enter shows it.`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, count - 1)}
      aria-valuenow={at ?? 0}
      aria-valuetext={
        count === 0 ? "empty" : `${read(at ?? 0)}${selection === undefined ? "" : `; ${lengthOf(selection)} selected`}`
      }
      aria-readonly={onSelect === undefined}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (event.currentTarget.matches(":focus-visible") && at === undefined && count > 0) show(count - 1);
      }}
      onBlur={() => {
        setSelection(undefined);
        show(undefined);
      }}
    >
      <svg
        width={width}
        height={height}
        aria-hidden="true"
        onPointerDown={(event) => {
          if (onSelect === undefined || event.button !== 0 || count === 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          press.current = { x: event.offsetX, index: indexAt(event) };
        }}
        onPointerMove={(event) => {
          if (count === 0) return;
          const index = indexAt(event);
          show(index);
          const pressed = press.current;
          if (pressed !== undefined && Math.abs(event.offsetX - pressed.x) >= DRAG) {
            setSelection({ anchor: pressed.index, end: index });
          }
        }}
        onPointerUp={() => {
          if (press.current !== undefined) finish(selection);
          press.current = undefined;
        }}
        onPointerCancel={() => {
          press.current = undefined;
          setSelection(undefined);
        }}
        onPointerLeave={() => {
          if (press.current === undefined) show(undefined);
        }}
      >
        {children}
        {at === undefined ? null : (
          <Span class="plot-cursor" edges={edges} first={at} last={at} top={top} bottom={bottom} />
        )}
        {selection === undefined ? null : (
          <Span
            class="plot-selection"
            edges={edges}
            first={Math.min(selection.anchor, selection.end)}
            last={Math.max(selection.anchor, selection.end)}
            top={top}
            bottom={bottom}
          />
        )}
      </svg>
    </div>
  );
}

function lengthOf({ anchor, end }: Selection): number {
  return Math.abs(end - anchor) + 1;
}

interface SpanProps {
  readonly class: string;
  readonly edges: readonly number[];
  readonly first: number;
  readonly last: number;
  readonly top: number;
  readonly bottom: number;
}

function Span({ class: className, edges, first, last, top, bottom }: SpanProps): JSX.Element {
  const from = edges[first] ?? 0;
  const to = edges[last + 1] ?? from;
  return <rect class={className} x={from} y={top} width={Math.max(1, to - from)} height={Math.max(0, bottom - top)} />;
}
