import { declareCommand } from "../command.ts";
import { unknownName } from "../unknown-name.ts";

export const help = declareCommand({
  name: "help",
  description: "Show help for a command or a topic (see census help topics)",
  args: {
    topic: {
      type: "positional",
      required: false,
      valueHint: "TOPIC",
      description: "Command or topic, or topics for a list",
    },
    man: { type: "boolean", description: "Print the manual page census(1) as roff" },
  },
  examples: ["help topics", "help queries", "help --man | man -l -"],
  run: async ({ args, commands }) => {
    const { topic: name, man } = args as { topic?: string; man?: boolean };
    const { overview, printPage } = await import("../help.ts");
    if (man === true) {
      const [{ manualPage }, { stdout }] = await Promise.all([import("../help/manual.ts"), import("../stdout.ts")]);
      await stdout.write(manualPage(await commands.loadAll()));
      return 0;
    }
    if (name === undefined || name === "census") return printPage(await overview(commands));
    const { topicNamed, topics, topicsPage } = await import("../topics/topics.ts");
    if (name === "topics") return printPage(topicsPage);
    const topic = topicNamed(name);
    if (topic !== undefined) return printPage(topic.page);
    const command = await commands.load(name);
    if (command === undefined) {
      const names = [...commands.names, "topics", ...topics.map(({ name }) => name)];
      throw unknownName("help: ", "topic", name, names, "see census help topics");
    }
    const { commandPage } = await import("../help/command-page.ts");
    return printPage(commandPage(command));
  },
});
