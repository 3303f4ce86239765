/** The path of an endpoint of the explorer, with parameters of which lists are repeated. */
export function apiPath(
  endpoint: string,
  parameters: Readonly<Record<string, string | readonly string[]>> = {},
): string {
  const pairs = Object.entries(parameters).flatMap(([name, values]) =>
    (typeof values === "string" ? [values] : values).map((value) => `${name}=${encodeURIComponent(value)}`),
  );
  return `/explorer/api/v1/${endpoint}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`;
}
