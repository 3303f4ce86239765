import { type Family, familyNames } from "./families.ts";

/** The families of each role, where no policy says something else; each role has all that the one before has. */
const families = {
  reader: ["pages", "query", "status", "metrics"],
  operator: ["pages", "query", "status", "metrics", "archive"],
  admin: familyNames,
} as const satisfies Record<string, readonly Family[]>;

export type Role = keyof typeof families;

/** Every role, the one with the fewest rights first. */
export const roleNames = Object.keys(families) as readonly Role[];

export function familiesOf(role: Role): readonly Family[] {
  return families[role];
}

/** Of several roles the one with the most rights; undefined: there is none. */
export function highestRole(roles: readonly (Role | undefined)[]): Role | undefined {
  return roleNames.findLast((role) => roles.includes(role));
}
