/** Widths of columns that were changed in this browser, px by column. */
export type Widths = Readonly<Record<string, number>>;

export const NARROWEST = 48;
export const WIDEST = 1200;

function keyOf(table: string): string {
  return `census.widths.${table}`;
}

/** The widths that were chosen for a table. */
export function storedWidths(table: string): Widths {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(table)) ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).flatMap(([key, width]) => (typeof width === "number" ? [[key, limited(width)]] : [])),
    );
  } catch {
    return {};
  }
}

/** Remembers the widths of a table. */
export function storeWidths(table: string, widths: Widths): void {
  try {
    localStorage.setItem(keyOf(table), JSON.stringify(widths));
  } catch {
    // Browsers without storage keep them as long as the page is open.
  }
}

/** A width that can be shown. */
export function limited(width: number): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
}
