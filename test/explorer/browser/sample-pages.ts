import { browse } from "./browser.ts";
import { placesOf, subjectsOf, unknownSubjects } from "./places.ts";
import { serverOf } from "./serve.ts";
import type { Visit } from "./visit.ts";

/** The addresses of all pages; which subjects they are about is known when a server is. */
export const samplePages = placesOf(unknownSubjects).map(({ page, path }, at) => ({ page, path, at }));

/** The pages of the sample, opened one after the other in one window. */
export interface SampleVisit {
  /** Of the server. */
  readonly url: string;
  readonly visit: Visit;
  /** Addresses, in the order of `samplePages`. */
  readonly urls: readonly string[];
}

/** Opens the window. Its `visit` must be disposed of. */
export async function visitSample(): Promise<SampleVisit> {
  const url = await serverOf("sample");
  const urls = placesOf(await subjectsOf(url)).map(({ path }) => url + path);
  return { url, urls, visit: await browse(`${url}/explorer/help`) };
}
