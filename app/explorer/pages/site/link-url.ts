/** The url of a link with values as parts; undefined where one is missing. */
export function linkUrl(url: string, values: Readonly<Record<string, string | null>>): string | undefined {
  let isComplete = true;
  const filled = url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = values[name] ?? null;
    if (value === null || value === "") isComplete = false;
    const encoded = encodeURIComponent((value ?? "").toWellFormed());
    return name === "path" ? encoded.replaceAll("%2F", "/") : encoded;
  });
  return isComplete ? filled : undefined;
}

/** The url of a link to a line of code; undefined for a file that is in no environment. */
export function codeUrl(url: string, file: string, line: number | null): string | undefined {
  const folder = "/environments/";
  const [environment = "", ...path] = file.slice(file.indexOf(folder) + folder.length).split("/");
  if (!file.includes(folder) || path.includes("..")) return undefined;
  return linkUrl(url, { environment, path: path.join("/"), line: String(line ?? 1) });
}
