import { expect, it } from "vitest";
import { browse, describeInBrowser } from "./browser.ts";
import { serverOf } from "./serve.ts";

describeInBrowser("a page fails a test because of", () => {
  it.each<[what: string, run: () => void, problem: RegExp]>([
    [
      "a script in it",
      () => document.body.setAttribute("onclick", "1"),
      /^console: policy: require-trusted-types-for/m,
    ],
    ["a style in it", () => document.body.setAttribute("style", "color: red"), /^console: policy: style-src-attr/m],
    ["a text that becomes markup", () => (document.body.innerHTML = "<b>x</b>"), /TrustedHTML/],
    ["a request to another place", () => void fetch("http://127.0.0.1:9/").catch(() => undefined), /127\.0\.0\.1:9/],
    ["an error on the console", () => console.error("broken"), /^console: broken/m],
    ["a warning on the console", () => console.warn("careful"), /^console: careful/m],
    ["an error that nothing catches", () => void setTimeout(() => JSON.parse("{")), /^error: SyntaxError/m],
    ["a dialog", () => alert("hello"), /^dialog: hello/m],
    ["another window", () => void open("/explorer/help"), /^window: /m],
    ["a hostile text that ran", () => void Reflect.set(globalThis, "hostileTextRan", 3), /a hostile text ran: 3/],
  ])("%s", async (_what, run, problem) => {
    const visit = await browse(`${await serverOf("empty")}/explorer/help`);
    await visit.page.evaluate(run).catch(() => undefined);
    await visit.page.waitForTimeout(200);
    await expect(visit[Symbol.asyncDispose]()).rejects.toThrow(problem);
  });
});

describeInBrowser("of a page a test learns", () => {
  it("what the accessibility rules find, how much wider than the window it is, and what moves", async () => {
    await using visit = await browse(`${await serverOf("empty")}/explorer/help`, { width: 320 });
    await visit.page.evaluate(() => {
      const image = document.createElement("img");
      image.width = 500;
      document.querySelector("main")?.append(image);
      image.animate({ opacity: [0, 1] }, 60_000);
    });
    expect((await visit.accessibilityFindings()).map(({ rule }) => rule)).toContain("image-alt");
    expect(await visit.overflow()).toMatchObject({ pixels: expect.any(Number) as number, widest: ["main. > img."] });
    expect(await visit.moving()).toStrictEqual(["img."]);
  });
});
