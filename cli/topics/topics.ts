import type { Page } from "../help/page.ts";
import { terms, text } from "../help/page.ts";
import { archives } from "./archives.ts";
import { environment } from "./environment.ts";
import { exitCodes } from "./exit-codes.ts";
import { output } from "./output.ts";
import { queries } from "./queries.ts";
import { settings } from "./settings.ts";
import { sources } from "./sources.ts";
import { time } from "./time.ts";
import type { Topic } from "./topic.ts";

/** All topics, in the order in which they are listed. */
export const topics: readonly Topic[] = [sources, queries, output, time, archives, settings, environment, exitCodes];

/** The topic of this name, if there is one. */
export function topicNamed(name: string): Topic | undefined {
  return topics.find((topic) => topic.name === name);
}

/** The page of `census help topics`. */
export const topicsPage: Page = {
  summary: "Help topics",
  sections: [
    { title: "TOPICS", blocks: [terms(...topics.map(({ name, page }) => [name, page.summary] as const))] },
    {
      title: "MORE",
      blocks: [text("census help TOPIC shows a topic; census help COMMAND is the same as census COMMAND --help.")],
    },
  ],
};
