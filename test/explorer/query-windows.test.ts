import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { QueryWindows, WINDOW, windowsOf } from "#app/explorer/pages/table/query-windows.ts";

const ROWS = 100_000;

/** Offsets that were requested. */
let requested: number[] = [];

beforeEach(() => {
  requested = [];
  vi.stubGlobal("fetch", async (url: string) => {
    const offset = Number(new URL(url, "http://localhost").searchParams.get("offset"));
    requested.push(offset);
    const rows = Array.from({ length: WINDOW }, (_, at) => offset + at);
    return Promise.resolve(new Response(JSON.stringify(rows), { headers: { "x-records": String(ROWS) } }));
  });
});
afterEach(() => vi.unstubAllGlobals());

/** The windows of a table whose name no other test uses, since responses are kept. */
function windowsOfTable(name: string): QueryWindows<number> {
  return new QueryWindows<number>(
    ({ limit, offset }) => ({ path: "/pdb/query/v4", parameters: { query: name, limit, offset } }),
    0,
    () => undefined,
  );
}

/** Looks at rows until they are there. */
async function lookAt(windows: QueryWindows<number>, first: number, last: number): Promise<void> {
  windows.show(first, last);
  await expect.poll(() => windows.row(first) === undefined || windows.row(last) === undefined).toBe(false);
}

describe("windows of a long table", () => {
  it("are those of the rows that are seen", () => {
    expect(windowsOf(0, 40)).toEqual([0]);
    expect(windowsOf(WINDOW - 1, WINDOW)).toEqual([0, 1]);
  });

  it("are fetched when their rows are seen, and no others", async () => {
    const windows = windowsOfTable("fetched");
    await lookAt(windows, 0, 30);
    expect(windows.count).toBe(ROWS);
    await lookAt(windows, 71_980, 72_020);
    expect([windows.row(71_980), windows.row(72_020)]).toEqual([71_980, 72_020]);
    expect(requested).toEqual([0, 71_500, 72_000]);
  });

  it("are kept as long as they are near, so that scrolling through all rows does not fill the memory", async () => {
    const windows = windowsOfTable("kept");
    for (let window = 0; window < 40; window++) await lookAt(windows, window * WINDOW, window * WINDOW + 30);
    const kept = Array.from({ length: 40 }, (_, window) => window).filter(
      (window) => windows.row(window * WINDOW) !== undefined,
    );
    // Those that were seen last; the newest came after the others were counted.
    expect(kept).toEqual(Array.from({ length: 21 }, (_, at) => 19 + at));
    await lookAt(windows, 0, 30);
    expect(windows.row(5)).toBe(5);
  });
});
