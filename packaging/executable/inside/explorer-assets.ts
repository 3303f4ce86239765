import { getRawAsset } from "node:sea";
import type { Assets } from "#app/explorer/asset.ts";
import { explorerAsset } from "./explorer-asset.ts";
import { packagedAssets } from "../../explorer/index-file.ts";

let assets: Assets | undefined;

/** Replaces `app/explorer/assets.ts` in the packaged program, where the files of the pages are embedded. */
export async function openAssets(): Promise<Assets> {
  return (assets ??= packagedAssets((name) => new Uint8Array(getRawAsset(explorerAsset(name)))));
}
