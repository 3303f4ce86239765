/** What of the HTTP framework is used, apart from the rest of the service: it takes as long to load as all of that. */
export { H3 } from "h3";
export { toNodeHandler } from "h3/node";
