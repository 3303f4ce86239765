import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Assets } from "#app/explorer/asset.ts";
import { packagedAssets } from "../../explorer/index-file.ts";

let assets: Assets | undefined;

/**
 * Replaces `app/explorer/assets.ts` in the npm package, where the files of the pages are in a directory next to the
 * code.
 */
export async function openAssets(): Promise<Assets> {
  return (assets ??= packagedAssets((name) => readFileSync(join(import.meta.dirname, "explorer", name))));
}
