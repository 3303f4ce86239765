/** Functions that run inside a page: each is sent there as text, and uses nothing from outside of itself. */

/** Writes to the console what violates the policy of the page, and when a hostile text sets its global. */
export function reportViolations(hostile: string): void {
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) => {
    console.error(`policy: ${violatedDirective} ${blockedURI} ${sample}`);
  });
  Object.defineProperty(globalThis, hostile, {
    set: (value: unknown) => {
      console.error(`a hostile text ran: ${JSON.stringify(value)}`);
    },
  });
}

/** What the page still waits for, once what it does after the next frame is done; undefined if nothing. */
export async function waitingFor(): Promise<string | undefined> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
  const main = document.querySelector("main");
  if (main === null) return "no content";
  const busy = main.querySelector("[aria-busy=true], .skeleton, .first-load");
  if (busy !== null) return `${busy.localName}.${busy.className} ${busy.getAttribute("aria-label") ?? ""}`;
  return main.querySelector("h1, [role=alert]") === null ? "no heading" : undefined;
}

/** Clicks a link to an address of the explorer, which is on the page for that moment only. */
export function clickLink(path: string): void {
  const link = document.createElement("a");
  link.href = path;
  document.body.append(link);
  link.click();
  link.remove();
}

/** By how many pixels the page can be scrolled sideways, and what reaches beyond it without being scrolled itself. */
export function widerThanWindow(): { pixels: number; widest: string[] } {
  const width = document.documentElement.clientWidth;
  const pixels = document.documentElement.scrollWidth - width;
  if (pixels <= 0) return { pixels: 0, widest: [] };
  const isCut = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).overflowX !== "visible" || isCut(element.parentElement));
  const wide = [...document.querySelectorAll("body *")].filter(
    (each) => each.getBoundingClientRect().right > width + 1 && !isCut(each.parentElement),
  );
  // The browser evaluates this function alone, so it has all that it calls.
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- see above
  const nameOf = (element: Element): string => `${element.localName}.${element.getAttribute("class") ?? ""}`;
  const names = wide.map(
    (each) => (each.parentElement === null ? "" : `${nameOf(each.parentElement)} > `) + nameOf(each),
  );
  return { pixels, widest: [...new Set(names)].slice(0, 12) };
}

/** Whether the focus is in the content, and can be seen. */
export function focusedElement(): { isInContent: boolean; isMarked: boolean } {
  const element = document.activeElement as HTMLElement;
  const { outlineStyle, boxShadow } = getComputedStyle(element);
  return { isInContent: element.closest("main") !== null, isMarked: outlineStyle !== "none" || boxShadow !== "none" };
}

/** The elements with animations or transitions that take longer than a frame. */
export function movingElements(): string[] {
  const FRAME = 17;
  return document.getAnimations().flatMap(({ effect }) => {
    const { duration } = effect?.getComputedTiming() ?? {};
    if (typeof duration !== "number" || duration <= FRAME || !(effect instanceof KeyframeEffect)) return [];
    const { target } = effect;
    return [`${target?.localName}.${target?.getAttribute("class") ?? ""}`];
  });
}
