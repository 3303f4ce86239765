import type { WrittenMember } from "./written-member.ts";

/** The members of an archive, with those below one directory moved to another; both with their `/`, or empty. */
export async function* movedMembers(
  members: AsyncIterable<WrittenMember>,
  from: string,
  to: string,
): AsyncGenerator<WrittenMember> {
  for await (const { name, body } of members) {
    yield { name: name.startsWith(from) ? to + name.slice(from.length) : name, body };
  }
}
