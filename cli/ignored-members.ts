import { counted } from "./output/counted.ts";

/** Reports on stderr how many members of an archive contain no command, if any. */
export function reportIgnoredMembers(archive: string, count: number): void {
  if (count > 0) process.stderr.write(`census: ${archive}: skipped ${counted(count, "member")} without a command\n`);
}
