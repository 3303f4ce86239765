/**
 * Puts an executable together with pkg's single-executable back end; a process of its own for each, since pkg finds
 * the Node to take by the home folder, works in the folder for temporary files and changes the working directory.
 */
import sea from "@yao-pkg/pkg/lib-es5/sea.js";
import type { Assembly } from "./executable.ts";

async function main(order: string): Promise<void> {
  const { main, assets, node, platform, arch, output } = JSON.parse(order) as Assembly;
  const seaConfig = {
    // As it is called from the folder below this one that pkg works in: a whole path would stay in the executable.
    main: `../${main}`,
    assets,
    // What is said to Node in general is not said to this program.
    execArgvExtension: "none",
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // Its bytes differ from build to build.
    useCodeCache: false,
  };
  const target = { nodeRange: `node${node}`, platform, arch, output };
  await sea.default(main, { seaConfig, signature: true, targets: [target] });
}

const [order = ""] = process.argv.slice(2);
void main(order);
