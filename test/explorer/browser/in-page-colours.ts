/** Functions that run inside a page: each is sent there as text, and uses nothing from outside of itself. */
// oxlint-disable unicorn/consistent-function-scoping -- the browser evaluates each function alone, so it has all that it calls

/**
 * What is hardly visible: texts with a contrast below 4.5 to their ground, shapes of pictures below 3. And
 * what is chosen, current or pressed, but looks like its neighbour that is not.
 */
export function indistinct(): string[] {
  const found: string[] = [];
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  /** Any colour of CSS as red, green, blue (0 to 255) and alpha (0 to 1). */
  const rgba = (colour: string): [number, number, number, number] => {
    if (canvas === null) throw new Error("no canvas");
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const luminance = ([red, green, blue]: readonly number[]): number => {
    const linear = (value = 0): number => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  const contrast = (one: readonly number[], other: readonly number[]): number => {
    const [a, b] = [luminance(one), luminance(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const over = (
    [red, green, blue, alpha]: readonly [number, number, number, number],
    ground: readonly number[],
  ): number[] => [red, green, blue].map((value, at) => value * alpha + (ground[at] ?? 0) * (1 - alpha));
  /** What is behind the content of an element. */
  const groundOf = (element: Element | null): number[] => {
    if (element === null) return rgba("Canvas").slice(0, 3);
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, groundOf(element.parentElement));
  };
  const nameOf = (element: Element): string =>
    `${element.localName}.${element.getAttribute("class") ?? ""} ${(element.textContent || "").trim().slice(0, 30)}`;
  const isShown = (element: Element): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.closest(".visually-hidden") === null &&
    element.getBoundingClientRect().width > 1;

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set<Element>();
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const element = node.parentElement;
    if (element === null || seen.has(element) || (node.nodeValue ?? "").trim() === "" || !isShown(element)) continue;
    seen.add(element);
    const style = getComputedStyle(element);
    const isDrawn = element.closest("svg") !== null;
    const ground = groundOf(element);
    const ink = over(rgba(isDrawn ? style.fill : style.color), ground);
    if (element.closest(":disabled") === null && contrast(ink, ground) < 4.5) found.push(`text ${nameOf(element)}`);
  }

  /** What a shape is drawn on: the shape before it, if that is filled and lies around it, else what is behind the picture. */
  const groundUnder = (shape: Element, picture: Element): number[] => {
    const behind = groundOf(picture);
    const before = shape.previousElementSibling;
    if (!(shape instanceof SVGGraphicsElement && before instanceof SVGGeometryElement)) return behind;
    const { fill } = getComputedStyle(before);
    const [inner, outer] = [shape.getBBox(), before.getBBox()];
    const isAround =
      outer.x < inner.x &&
      outer.y < inner.y &&
      outer.x + outer.width > inner.x + inner.width &&
      outer.y + outer.height > inner.y + inner.height;
    return isAround && fill !== "none" && !fill.startsWith("url") ? over(rgba(fill), behind) : behind;
  };

  for (const shape of document.querySelectorAll("svg :is(path, rect, circle, line, polygon, polyline)")) {
    const picture = shape.closest("svg");
    if (
      picture === null ||
      !isShown(picture) ||
      shape.closest("defs, .chart-axis, .plot-cursor, .spark-base, .plot-ground")
    )
      continue;
    const { fill, stroke, fillOpacity } = getComputedStyle(shape);
    const ground = groundUnder(shape, picture);
    const inks = [fill, stroke].filter((paint) => paint !== "none" && !/^rgba\(.*, 0\)$/.test(paint));
    const isSeen = (paint: string): boolean => {
      const [, pattern] = /^url\("?#(.*?)"?\)/.exec(paint) ?? [];
      const painted = pattern === undefined ? undefined : document.getElementById(pattern);
      // A texture is drawn in the colour of its series.
      const colour = painted === undefined || painted === null ? paint : getComputedStyle(painted).color;
      return contrast(over(rgba(colour), ground), ground) >= 3;
    };
    if (inks.length > 0 && Number(fillOpacity) === 1 && !inks.some(isSeen))
      found.push(
        `shape ${shape.localName}.${shape.getAttribute("class") ?? ""} ${fill} in ${nameOf(picture)} of ${picture.parentElement?.className ?? ""}`,
      );
  }

  const states = ["aria-pressed", "aria-current", "aria-selected"];
  for (const name of states) {
    for (const element of document.querySelectorAll(`[${name}]:not([${name}=false])`)) {
      if (!isShown(element)) continue;
      const others = [
        ...(
          element.closest("ul, ol, nav, fieldset, tbody, [role]:not([role=row]):not([role=option])") ?? document
        ).querySelectorAll(element.localName),
      ];
      const other = others.find(
        (one) =>
          !one.matches(`[${name}]:not([${name}=false])`) &&
          one.getAttribute("role") === element.getAttribute("role") &&
          isShown(one),
      );
      if (other === undefined) continue;
      const look = (one: Element): string => {
        const style = getComputedStyle(one);
        const { fontWeight, textDecorationLine, outlineStyle, borderStyle, borderWidth } = style;
        const box = one.querySelector<HTMLInputElement>("input[type=checkbox]");
        // Boxes and lists show it themselves.
        return [
          fontWeight,
          textDecorationLine,
          outlineStyle,
          borderStyle,
          borderWidth,
          box?.checked,
          groundOf(one),
        ].join();
      };
      if (look(element) === look(other)) found.push(`${name} ${nameOf(element)}`);
    }
  }
  return [...new Set(found)];
}

/** What has the focus, where neither it nor a part of it has an outline: other marks are not shown in forced colours. */
export async function unmarkedFocus(): Promise<string | undefined> {
  const { activeElement: element } = document;
  if (element === null || element === document.body) return undefined;
  // An editor is drawn in a shadow root, and has its outline there.
  const parts = [element, ...(element.shadowRoot ?? element).querySelectorAll("*")];
  const isMarked = (): boolean =>
    parts.some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== "none" && parseFloat(outlineWidth) >= 1;
    });
  // The editor marks its focus a little later.
  if (!isMarked()) await new Promise((resolve) => setTimeout(resolve, 30));
  return isMarked() ? undefined : `${element.localName}.${element.getAttribute("class") ?? ""}`;
}
