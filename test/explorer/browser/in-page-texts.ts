/** Functions that run inside a page: each is sent there as text, and uses nothing from outside of itself. */
// oxlint-disable unicorn/consistent-function-scoping -- the browser evaluates each function alone, so it has all that it calls

/** Texts that are cut off where there is neither a bar to scroll by nor a sign, and texts that are written over others. */
export function unreadableTexts(): string[] {
  interface Box {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }
  /** Px: letters may reach beyond their line a little. */
  const SPARE = 2;
  const found: string[] = [];
  const nameOf = (element: Element): string => `${element.localName}.${element.getAttribute("class") ?? ""}`;
  const within = (box: Box, other: Box): Box => ({
    left: Math.max(box.left, other.left),
    top: Math.max(box.top, other.top),
    right: Math.min(box.right, other.right),
    bottom: Math.min(box.bottom, other.bottom),
  });
  const isEmpty = ({ left, top, right, bottom }: Box): boolean => right - left <= SPARE || bottom - top <= SPARE;

  const shown: { readonly box: Box; readonly element: Element; readonly text: string }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = (node.nodeValue ?? "").trim();
    // A name that does not fit is shown with its beginning and its end (`.name-short`).
    const others = ".visually-hidden, .skip-link, noscript, option, .name";
    if (element === null || text === "" || element.closest(others) !== null) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      let box: Box = line;
      let isCut = false;
      for (let around: Element | null = element; around !== null; around = around.parentElement) {
        const { overflowX, overflowY, textOverflow, position, webkitLineClamp, display } = getComputedStyle(around);
        if (overflowX === "visible" && overflowY === "visible") {
          if (position === "fixed") break;
          continue;
        }
        // The size of such an element does not limit its content.
        if (display === "inline" || display === "contents") continue;
        const edge = around.getBoundingClientRect();
        const limited = within(box, edge);
        const reach = {
          x: Math.max(edge.left - box.left, box.right - edge.right),
          y: Math.max(edge.top - box.top, box.bottom - edge.bottom),
        };
        // An ellipsis says that there is more, and so does a bar to scroll by.
        const saysSo = {
          x: textOverflow === "ellipsis" || overflowX !== "hidden",
          y: webkitLineClamp !== "none" || overflowY !== "hidden",
        };
        if (
          (reach.x > SPARE && !saysSo.x && overflowX !== "visible") ||
          (reach.y > SPARE && !saysSo.y && overflowY !== "visible")
        )
          isCut = true;
        box = limited;
        if (isEmpty(box)) break;
      }
      if (isCut) found.push(`cut off: ${text.slice(0, 40)} in ${nameOf(element)}`);
      if (!isEmpty(box)) shown.push({ box, element, text });
    }
  }

  shown.sort((one, other) => one.box.top - other.box.top);
  for (const [at, one] of shown.entries()) {
    for (let next = at + 1; next < shown.length; next++) {
      const other = shown[next];
      if (other === undefined || other.box.top >= one.box.bottom - SPARE) break;
      if (isEmpty(within(one.box, other.box)) || one.element === other.element) continue;
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      found.push(
        `over each other: ${one.text.slice(0, 30)} in ${nameOf(one.element)}, ${other.text.slice(0, 30)} in ${nameOf(other.element)}`,
      );
    }
  }
  return [...new Set(found)].slice(0, 20);
}
