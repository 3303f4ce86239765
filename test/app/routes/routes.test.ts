import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, it } from "vitest";
import { familyNames } from "#app/access/families.ts";
import { templateOf } from "#app/http/router.ts";
import { routeTables } from "#app/routes/index.ts";
import { document, router } from "#test/app/openapi/operations.ts";

const { routes } = router;
const fallbacks = routeTables.flatMap((table) => table.fallbacks ?? []);

/** Responses that clients poll for, that PuppetDB does not count, or that do not end. */
const unmetered = [
  "/pdb/meta/v1/version",
  "/pdb/meta/v1/version/latest",
  "/pdb/meta/v1/server-time",
  "/",
  "/openapi.json",
  "/explorer/api/v1/changes",
];

describe.each(routes.map((route) => [route.path, route] as const))("the route %s", (path, route) => {
  it("has a description of each of its methods, a family and a metered name", () => {
    const methods = Object.keys(route.describe());
    expect(methods).not.toEqual([]);
    for (const method of methods) {
      expect(route.methods === "any" ? method.toUpperCase() : route.methods).toContain(method.toUpperCase());
      expect(document.paths[templateOf(path)]).toHaveProperty([method, "summary"], expect.stringMatching(/^[A-Z]/));
    }
    expect(familyNames).toContain(route.family);
    expect(route.metered === undefined).toBe(unmetered.includes(path));
    expect(path.startsWith(route.metered ?? "/")).toBe(true);
  });

  it("is found by its path, and by no other route's", () => {
    const sent = path.replaceAll(/:\w+(?:\([^()]+\))?/g, "x");
    expect(router.find(sent)?.endpoint).toBe(route);
    expect(routes.filter((other) => other.path === path)).toEqual([route]);
  });
});

describe("openapi.json", () => {
  it("is valid and lists every route", async () => {
    expect(await new Validator().validate({ ...structuredClone(document) })).toMatchObject({ valid: true });
    expect(Object.keys(document.paths)).toEqual(routes.map(({ path }) => templateOf(path)));
  });
});

describe("a path without route", () => {
  it("is handled by the longest matching fallback", () => {
    expect(new Set(fallbacks.map(({ below }) => below)).size).toBe(fallbacks.length);
    expect(router.fallback("/pdb/query/v4/nope").endpoint).toMatchObject({ below: "/pdb/query/v4" });
    expect(router.fallback("/pdb/queryx").endpoint).toMatchObject({ below: "/pdb" });
    expect(router.fallback("/nope").endpoint).toMatchObject({ below: "/" });
  });
});
