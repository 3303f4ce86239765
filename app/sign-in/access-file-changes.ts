import type { AccessFile } from "./access-file.ts";

/** What differs between two contents of the access file, for people: `token ci revoked`. */
export function changesBetween(before: AccessFile, after: AccessFile): string[] {
  const named = [...before.tokens, ...after.tokens];
  const nameOf = (id: string): string => `token ${named.find(([one]) => one === id)?.[1].name ?? id} (${id})`;
  return [
    ...differences(before.tokens, after.tokens).map(({ key, how }) => {
      const isRevoked = after.tokens.get(key)?.revoked !== before.tokens.get(key)?.revoked;
      return `${nameOf(key)} ${how === "changed" && isRevoked ? "revoked" : how}`;
    }),
    ...differences(before.users, after.users).map(({ key, how }) => `user ${key} ${how}`),
    ...differences(before.groups, after.groups).map(({ key, how }) => `group ${key} ${how}`),
    ...differences(before.signedOut, after.signedOut).flatMap(({ key, how }) =>
      how === "removed" ? [] : [`${key} signed out`],
    ),
  ];
}

type Difference = { readonly key: string; readonly how: "added" | "changed" | "removed" };

function differences(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): Difference[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): Difference[] => {
    if (!before.has(key)) return [{ key, how: "added" }];
    if (!after.has(key)) return [{ key, how: "removed" }];
    return JSON.stringify(before.get(key)) === JSON.stringify(after.get(key)) ? [] : [{ key, how: "changed" }];
  });
}
