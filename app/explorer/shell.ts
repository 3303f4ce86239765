import { assetsPath, type EntryNames } from "./asset.ts";
import { matchesPage } from "./page-path.ts";

/**
 * The page at an address of the explorer. It contains no data, so it is the same for everybody; the program that it loads
 * reads the address and fetches what is shown. Addresses differ only in the files that are loaded in advance, which saves
 * the program from finding them one after the other.
 * @param path as it was sent, not decoded
 * @param canSignIn whether it is served where people sign in
 */
export function shell(
  { main, style, theme, icon, atStart, pages }: EntryNames,
  path: string,
  canSignIn = false,
): string {
  const [, files = []] = Object.entries(pages).find(([pattern]) => matchesPage(path, pattern)) ?? [];
  const preloaded = [...atStart, ...files].map((name) => `<link rel="modulepreload" href="${fileUrl(name)}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${canSignIn ? '<meta name="census-sign-in">\n' : ""}<title>Census</title>
<link rel="icon" type="image/svg+xml" href="${fileUrl(icon)}">
<script src="${fileUrl(theme)}"></script>
<link rel="stylesheet" href="${fileUrl(style)}">
${preloaded.join("\n")}
<script type="module" src="${fileUrl(main)}"></script>
</head>
<body>
<noscript>
<p>This page needs JavaScript. Without it, send queries to <code>/pdb/query/v4</code>, or use <code>census query</code>.
The interface is described in <a href="/openapi.json">openapi.json</a>.</p>
</noscript>
</body>
</html>
`;
}

function fileUrl(name: string): string {
  return `${assetsPath}/${name}`;
}
