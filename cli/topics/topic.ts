import type { Page } from "../help/page.ts";

/** Something that is explained apart from any command: `census help NAME`. */
export interface Topic {
  readonly name: string;
  readonly page: Page;
}
