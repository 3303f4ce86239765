import { ENTITIES, OWN_ENTITIES } from "./grammar.ts";
import type { Scanner } from "./scanner.ts";

/** Reads the name of an entity: the longest one, because `factsets` begins with `facts`. */
export function parseEntity(scanner: Scanner): string | undefined {
  const start = scanner.position;
  let longest: string | undefined = OWN_ENTITIES.find((entity) => scanner.text.startsWith(entity, start));
  for (const entity of ENTITIES) {
    scanner.position = start;
    if (scanner.literal(entity) && entity.length > (longest?.length ?? 0)) longest = entity;
  }
  scanner.position = start + (longest?.length ?? 0);
  return longest;
}
