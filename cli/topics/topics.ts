import { type Block, code, type Page, type Section, type Term, terms, text } from "../help/page.ts";
import { texts } from "./texts.ts";

/** Something that is explained apart from any command: `census help NAME`. */
export interface Topic {
  readonly name: string;
  readonly page: Page;
}

/** All topics, in the order in which they are listed. */
export const topics: readonly Topic[] = Object.entries(texts).map(([name, { summary, text: content }]) => ({
  name,
  page: { summary, sections: content.split(/^# /m).slice(1).map(sectionOf) },
}));

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

function sectionOf(content: string): Section {
  const [title = "", ...blocks] = content.trimEnd().split("\n\n");
  return { title, blocks: blocks.map(blockOf) };
}

function blockOf(content: string): Block {
  if (content.startsWith("    ")) return code(...content.split("\n").map((line) => line.slice(4)));
  if (!content.includes(" :: ")) return text(content.replaceAll("\n", " "));
  return terms(...content.split(/\n(?! )/).map(termOf));
}

/** A meaning goes on in lines that begin with blanks. */
function termOf(content: string): Term {
  const [term = "", meaning = ""] = content.replaceAll(/\n +/g, " ").split(/ :: (.*)/s);
  return [term, meaning];
}
