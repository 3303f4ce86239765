import type { ComponentChildren, JSX } from "preact";

/** A link in a cell. Keys reach it through the grid: Enter opens it. */
export function CellLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <a href={href} tabIndex={-1}>
      {children}
    </a>
  );
}
