const labels: Readonly<Record<string, string>> = {
  not_used: "fresh",
  explicitly_requested: "cached, as configured",
  on_failure: "cached: no fresh one could be had",
};

/** Which catalog a run applied, from the field `cached_catalog_status`. */
export function catalogLabel(status: string | null): string {
  return labels[status ?? ""] ?? "not reported";
}
