import { expect, it } from "vitest";
import { browse, describeInBrowser } from "./browser.ts";
import { serverOf } from "./serve.ts";

describeInBrowser("a visit notes", () => {
  it.each<[what: string, run: () => void, problem: RegExp]>([
    [
      "a script in the page",
      () => document.body.setAttribute("onclick", "1"),
      /^console: policy: require-trusted-types-for/,
    ],
    [
      "a style in the page",
      () => document.body.setAttribute("style", "color: red"),
      /^console: policy: style-src-attr/,
    ],
    ["a text that becomes markup", () => (document.body.innerHTML = "<b>x</b>"), /TrustedHTML/],
    ["a request to another place", () => void fetch("http://127.0.0.1:9/").catch(() => undefined), /127\.0\.0\.1:9/],
    ["an error on the console", () => console.error("broken"), /^console: broken/],
    ["a warning on the console", () => console.warn("careful"), /^console: careful/],
    ["an error that nothing catches", () => void setTimeout(() => JSON.parse("{")), /^error: SyntaxError/],
    ["a dialog", () => alert("hello"), /^dialog: hello/],
    ["another window", () => void open("/explorer/help"), /^window: /],
    ["a hostile text that ran", () => void Reflect.set(globalThis, "hostileTextRan", 3), /^a hostile text ran: 3/],
  ])("%s", async (_what, run, problem) => {
    const visit = await browse(`${await serverOf("empty")}/explorer/help`);
    await visit.page.evaluate(run).catch(() => undefined);
    await visit.page.waitForTimeout(200);
    const problems = await visit[Symbol.asyncDispose]().then(
      () => [],
      () => visit.problems,
    );
    expect(problems.join("\n")).toMatch(new RegExp(problem.source, "m"));
  });

  it("what the accessibility rules find, and how much wider than the window the page is", async () => {
    await using visit = await browse(`${await serverOf("empty")}/explorer/help`, { width: 320 });
    await visit.page.evaluate(() => {
      const image = document.createElement("img");
      image.width = 500;
      document.querySelector("main")?.append(image);
    });
    expect((await visit.accessibilityFindings()).map(({ rule }) => rule)).toContain("image-alt");
    expect(await visit.overflow()).toMatchObject({ pixels: expect.any(Number) as number, widest: ["img."] });
  });
});
