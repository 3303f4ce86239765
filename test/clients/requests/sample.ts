/** A node of `fixtures/sample.tgz` that has all there is: facts, catalog, reports, a failed latest report. */
export const NODE = "historian-0010.langsand.saltmarsh.example";

/** One of its reports, of status changed. */
export const REPORT = "2f258633351571e95e2055d9131815efb03bb3b4";

/** A node that comes beside the sample, with packages. */
export const PACKAGED = "packaged.saltmarsh.example";

/** The environment of {@link NODE}. */
export const ENVIRONMENT = "production";

/** Where queries go. */
export const QUERY = "/pdb/query/v4";

/** Where commands go. */
export const COMMANDS = "/pdb/cmd/v1";

/** The time that the sample is of. */
export const TIME = "2026-11-20T12:00:00.000Z";
