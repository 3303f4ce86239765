/** The members that PuppetDB imports: `reference/archive.md §4`. */
const patterns = [
  /^puppetdb-bak\/catalogs\/(.*)-[0-9A-Fa-f]{40}\.json$/,
  /^puppetdb-bak\/reports\/(.*)-[0-9A-Fa-f]{40}\.json$/,
  /^puppetdb-bak\/facts\/(.*)\.json$/,
  /^puppetdb-bak\/configure_expiration\/(.*)-[0-9A-Fa-f]{40}\.json$/,
  /^puppetdb-bak\/catalog_inputs\/(.*)-[0-9A-Fa-f]{40}\.json$/,
];

/** Whether PuppetDB imports a member of this name. */
export function isImportedByPuppetDb(name: string): boolean {
  return patterns.some((pattern) => pattern.test(name));
}
