import { existsSync } from "node:fs";

/**
 * Debian's packages: `chromium-headless-shell` is the browser without its own windows and menus, which takes half the
 * processor time.
 */
const usual = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"] as const;

/** The browser for tests, measurements and pictures: the one that `CENSUS_CHROMIUM` names, else Debian's. May be missing. */
export const chromiumPath: string =
  process.env["CENSUS_CHROMIUM"] ?? usual.find((path) => existsSync(path)) ?? usual[1];
