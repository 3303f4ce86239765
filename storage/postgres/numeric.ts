/** What PostgreSQL's `numeric` reads, white space around it included, but for NaN and infinity, which JSON does not have. */
const numeric =
  /^[ \t\n\v\f\r]*(?<sign>[+-]?)(?:(?<whole>\d+)(?:\.(?<fraction>\d*))?|\.(?<only>\d+))(?<exponent>e[+-]?\d+)?[ \t\n\v\f\r]*$/i;

/** The number that a text is for PostgreSQL's `numeric`, in JSON's spelling; null: it is none. */
export function readNumeric(text: string): string | null {
  const { groups } = numeric.exec(text) ?? {};
  if (groups === undefined) return null;
  const { sign, whole = "0", exponent = "" } = groups;
  const fraction = groups["fraction"] ?? groups["only"] ?? "";
  const digits = whole.replace(/^0+(?=\d)/, "");
  return `${sign === "-" ? "-" : ""}${digits}${fraction === "" ? "" : `.${fraction}`}${exponent}`;
}
