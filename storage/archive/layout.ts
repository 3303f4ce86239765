/** Where things are inside an archive (reference/archive.md §1, §4). Names use `/`, whatever the platform. */

/** The top directories an export may have, likeliest first; the empty one is an unpacked archive's own folder. */
export const TOP_DIRECTORIES = ["puppetdb-bak/", "svc-bak/", ""] as const;

/** What the metadata file is called: by exporters, and by the documentation. */
export const METADATA_FILES = ["export-metadata.json", "metadata.json"] as const;

/** The folders of an export in the order exporters write them: expiration settings protect what follows. */
export const FOLDER_ORDER = ["configure_expiration", "catalogs", "reports", "facts", "catalog_inputs"] as const;

/** The top directory of a metadata file's name (`puppetdb-bak/`), or undefined for any other member. */
export function metadataDirectory(name: string): string | undefined {
  return TOP_DIRECTORIES.find((directory) => METADATA_FILES.some((file) => name === directory + file));
}
