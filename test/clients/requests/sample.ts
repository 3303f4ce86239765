/** A node of `fixtures/sample.tgz` that has all there is: facts, catalog, reports, a failed latest report. */
export const NODE = "historian-0010.langsand.saltmarsh.example";

/** One of its reports, of status changed. */
export const REPORT = "b6a67a0815108e0f7f9ad18b0ad2003918745bc8";

/** A node beside those of the sample, with one package. */
export const PACKAGED = "packaged.saltmarsh.example";

/** The environment of {@link NODE}. */
export const ENVIRONMENT = "production";

/** Where queries go. */
export const QUERY = "/pdb/query/v4";

/** Where commands go. */
export const COMMANDS = "/pdb/cmd/v1";

/** The time that the sample is of. */
export const TIME = "2026-11-20T12:00:00.000Z";
