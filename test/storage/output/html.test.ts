import { describe, expect, it } from "vitest";
import { hostileTexts, textsWithNul } from "#test/explorer/hostile-texts.ts";
import { htmlLines } from "#storage/output/html/lines.ts";
import type { AboutPage } from "#storage/output/html/page.ts";
import { htmlOf } from "#storage/output/html/rows.ts";
import { batchesOf, joined } from "./batches.ts";

const page: AboutPage = { title: "nodes" };

async function written(rows: readonly object[], about: AboutPage = page, total?: number): Promise<string> {
  const batches = rows.map((row) => [JSON.stringify(row)]);
  return joined(htmlOf(batchesOf(batches), { page: about, ...(total === undefined ? {} : { total: () => total }) }));
}

const bodyOf = (text: string): string => text.slice(text.indexOf("<tbody>") + 7, text.indexOf("</tbody>")).trim();

/** All tags of a page with their attributes, each once. */
function tagsOf(text: string): string[] {
  const withoutStyle = text.replace(/<style>[^<]*<\/style>/, "");
  return [...new Set(withoutStyle.match(/<[^>]*>?/g))];
}

const rowOf = (text: string) => ({ [text]: text, status: text, nested: { [text]: [text] } });

function aboutOf(text: string): AboutPage {
  return { title: text, source: text, time: "2026-11-20T12:00:00.000Z", query: text };
}

describe("rows as a page", () => {
  it("says what the page is about", async () => {
    const about = {
      title: "a & b",
      source: "x.tgz",
      time: "2026-11-20T12:00:00.000Z",
      query: 'nodes { certname ~ "<" }',
    };
    const text = await written([{ a: 1 }], about);
    expect(text).toContain("<title>a &amp; b</title>");
    expect(text).toContain("<h1>a &amp; b</h1>");
    expect(text).toContain("<dt>Source</dt><dd>x.tgz</dd><dt>Time</dt><dd>2026-11-20 12:00:00 UTC</dd>");
    expect(text).toContain("<pre>nodes { certname ~ &quot;&lt;&quot; }</pre>");
  });

  it.each<[value: unknown, cell: string]>([
    [null, "<td></td>"],
    [12, '<td class="n">12</td>'],
    ["web-01", '<td class="s">web-01</td>'],
    [true, '<td class="s"><code>true</code></td>'],
    [{ a: "<" }, '<td class="s"><code>{&quot;a&quot;:&quot;&lt;&quot;}</code></td>'],
    [
      "2026-11-20T11:42:19.385Z",
      '<td class="s"><time datetime="2026-11-20T11:42:19.385Z">2026-11-20 11:42:19</time></td>',
    ],
    ["m".repeat(49), `<td class="m">${"m".repeat(49)}</td>`],
    ["l".repeat(121), `<td class="l">${"l".repeat(121)}</td>`],
    ["0".repeat(40), `<td class="d">${"0".repeat(40)}</td>`],
  ])("writes %j", async (value, cell) => {
    expect(bodyOf(await written([{ value }]))).toBe(`<tr>${cell}</tr>`);
  });

  it("writes states with their signs, but only where they are states", async () => {
    const cells = bodyOf(await written([{ status: "failed", value: "failed" }]));
    expect(cells).toBe('<tr><td class="s"><span class="failed">✖ failed</span></td><td class="s">failed</td></tr>');
  });

  it.each<[rows: number, total: number | undefined, note: string]>([
    [0, undefined, "No rows"],
    [1, undefined, "1 row"],
    [2, 5, "2 of 5 rows"],
  ])("counts %i rows of %j", async (count, total, note) => {
    const rows = Array.from({ length: count }, () => ({ a: 1 }));
    expect(await written(rows, page, total)).toContain(`<p class="note">${note}</p>`);
  });

  it("has the same tags for hostile texts as for harmless ones", async () => {
    const texts = [...hostileTexts, ...textsWithNul];
    const harmless = tagsOf((await written([rowOf("x".repeat(50))], aboutOf("x"))).replace("<td></td>", ""));
    const known = new Set([
      ...harmless,
      '<td class="s">',
      '<td class="m">',
      '<td class="l">',
      '<span class="code">',
      "</span>",
    ]);
    for (const text of texts) {
      expect(tagsOf(await written([rowOf(text)], aboutOf(text))).filter((tag) => !known.has(tag))).toStrictEqual([]);
    }
  });

  it("writes invisible characters by their codes", async () => {
    expect(bodyOf(await written([{ v: "a\u202Eb\u0000" }]))).toBe(
      '<tr><td class="s">a<span class="code">U+202E</span>b<span class="code">U+0000</span></td></tr>',
    );
  });
});

describe("lines as a page", () => {
  it("colours the lines of a comparison in pieces of any size", () => {
    const text = "~ web-01\n    + <b>\n  - gone\nplain";
    const expected =
      '<span class="mod">~ web-01</span>\n<span class="add">    + &lt;b&gt;</span>\n<span class="del">  - gone</span>\nplain';
    for (const size of [1, 5, 100]) {
      const lines = htmlLines();
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(pieces.map((piece) => lines.next(piece)).join("") + lines.end()).toBe(expected);
    }
  });
});
