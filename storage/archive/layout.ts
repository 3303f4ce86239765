/** The paths inside an archive (reference/archive.md §1, §4). Names use `/` on every platform. */

/**
 * The possible top directories of an export, the most likely first; the empty one is an unpacked archive's own folder.
 */
export const TOP_DIRECTORIES = ["puppetdb-bak/", "svc-bak/", ""] as const;

/** The names of the metadata file: in exports, and in the documentation. */
export const METADATA_FILES = ["export-metadata.json", "metadata.json"] as const;

/** The folders of an export in its order: expiration settings protect what follows. */
export const FOLDER_ORDER = ["configure_expiration", "catalogs", "reports", "facts", "catalog_inputs"] as const;

/** The folder of the history: no command's, so that PuppetDB ignores it. */
export const HISTORY = "history/";
export const HISTORY_BEGUN = `${HISTORY}begun.json`;

/** The top directory of a metadata file's name (`puppetdb-bak/`), or undefined for any other member. */
export function metadataDirectory(name: string): string | undefined {
  return TOP_DIRECTORIES.find((directory) => METADATA_FILES.some((file) => name === directory + file));
}
