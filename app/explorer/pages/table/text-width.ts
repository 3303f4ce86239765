let context: CanvasRenderingContext2D | null | undefined;

/**
 * The width of a text in the font of the page, px.
 * @param style weight and size of the font, as in CSS: "600 13px"
 */
export function textWidth(text: string, style: string): number {
  context ??= document.createElement("canvas").getContext("2d");
  if (context === null) return 0;
  context.font = `${style} ${getComputedStyle(document.body).fontFamily}`;
  return Math.ceil(context.measureText(text).width);
}
