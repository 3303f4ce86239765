/** The url of a link with the values of a node or a report as parts; undefined where one is missing. */
export function linkUrl(url: string, values: Readonly<Record<string, string | null>>): string | undefined {
  let isComplete = true;
  const filled = url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = values[name] ?? null;
    if (value === null || value === "") isComplete = false;
    return encodeURIComponent((value ?? "").toWellFormed());
  });
  return isComplete ? filled : undefined;
}
