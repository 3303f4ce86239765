/**
 * Assembles an executable with pkg's single-executable back end, in a process of its own: pkg finds Node by the home directory,
 * works in the directory for temporary files and changes the working directory.
 */
import sea from "@yao-pkg/pkg/lib-es5/sea.js";
import type { Assembly } from "./executable.ts";

async function main(order: string): Promise<void> {
  const { main, assets, node, platform, arch, output } = JSON.parse(order) as Assembly;
  const seaConfig = {
    // Relative to pkg's working directory: an absolute path would remain in the executable.
    main: `../${main}`,
    assets,
    // NODE_OPTIONS must not affect this program.
    execArgvExtension: "none",
    disableExperimentalSEAWarning: true,
    useSnapshot: false,
    // Not reproducible.
    useCodeCache: false,
  };
  const target = { nodeRange: `node${node}`, platform, arch, output };
  await sea.default(main, { seaConfig, signature: false, targets: [target] });
}

const [order = ""] = process.argv.slice(2);
void main(order);
