/** A share of a total: `42 %`, `0.3 %`, `< 0.1 %`; nothing where there is no total. */
export function shareText(count: number, total: number): string {
  if (total <= 0) return "";
  const percent = (100 * count) / total;
  if (percent === 0 || percent === 100) return `${percent} %`;
  if (percent < 0.1) return "< 0.1 %";
  if (percent > 99.9) return "> 99.9 %";
  return percent < 10 || percent > 99 ? `${percent.toFixed(1)} %` : `${Math.round(percent)} %`;
}
