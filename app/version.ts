/** The program's version; package.json has the same, and a test compares them. */
export const version = "0.1.0";

/**
 * The version of PuppetDB's interface, which clients check: some use fewer features, or do not start at all, where it is
 * low or not a plain version (`reference/clients.md §2`).
 */
export const interfaceVersion = "8.8.1";
