/** What the page may load and do: nothing but its own files and the service's own answers, and no text becomes markup. */
const policy: Readonly<Record<string, string>> = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "connect-src": "'self'",
  "img-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
  "require-trusted-types-for": "'script'",
  "trusted-types": "'none'",
};

/** Headers of everything below `/explorer`. */
export const explorerHeaders: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
};

/** Headers of the page besides those. */
export const pageHeaders: Readonly<Record<string, string>> = {
  ...explorerHeaders,
  "content-security-policy": Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join("; "),
  "cache-control": "no-cache",
};

/** Headers of the files that it loads, whose names change with their content. */
export const assetHeaders: Readonly<Record<string, string>> = {
  ...explorerHeaders,
  "cache-control": "max-age=31536000, immutable",
};

/** Headers of everything that an endpoint answers. */
export const apiHeaders: Readonly<Record<string, string>> = { ...explorerHeaders, "cache-control": "no-store" };
