import { assetsPath, type EntryNames } from "./asset.ts";

/**
 * The page at every address of the explorer. It contains no data, so it is the same for everybody; the program that it loads
 * reads the address and fetches what is shown.
 */
export function shell({ main, style, theme, icon }: EntryNames): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Census</title>
<link rel="icon" type="image/svg+xml" href="${fileUrl(icon)}">
<script src="${fileUrl(theme)}"></script>
<link rel="stylesheet" href="${fileUrl(style)}">
<link rel="modulepreload" href="${fileUrl(main)}">
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
