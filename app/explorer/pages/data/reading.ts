/** What rows move in, by selector. */
const ROWS = ":is([role=row], tr, li)";

/**
 * Whether somebody reads or uses what would move: a row is under the mouse or has the focus, a table is scrolled, a text is
 * selected, a menu or a dialog is open.
 */
export function isReading(): boolean {
  const main = document.querySelector("main");
  if (main === null || document.querySelector("dialog[open], [role=menu], [role=listbox]") !== null) return true;
  // On a touch screen the place of the last touch counts as hovered.
  if (matchMedia("(hover: hover)").matches && main.querySelector(`${ROWS}:hover`) !== null) return true;
  if (document.activeElement?.closest(`main :is([role=grid], ${ROWS})`)) return true;
  if ([...main.querySelectorAll("[role=grid]")].some(({ scrollTop }) => scrollTop > 0)) return true;
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && main.contains(selection.anchorNode);
}
