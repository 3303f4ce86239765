import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "#fixtures/random.ts";
import { time } from "#test/fixture-store.ts";
import { byLength } from "#test/length.ts";
import { answers, viewRows } from "./answers.ts";
import { FIRST, inOrderOfArrival, randomCommands } from "./random-commands.ts";
import { TimedStore } from "./timed-store.ts";

const COUNT = 120;
const MOMENTS = byLength({ short: 3, long: 6 });

describe.each(byLength({ short: [1], long: [1, 2, 3, 4] }))("the answers as of random moments (seed %i)", (seed) => {
  const commands = randomCommands(seed, COUNT);
  const random = new Random(seed, "moments");
  const moments = Array.from({ length: MOMENTS }, () => time(commands[random.integer(FIRST, COUNT - 1)]?.at ?? ""));
  let present: TimedStore;
  let then: TimedStore;

  beforeAll(async () => {
    [present, then] = [await TimedStore.open(), await TimedStore.open()];
    await present.goOn(inOrderOfArrival(seed, commands), time("2026-11-20T12:00:00Z"));
  });

  afterAll(async () => {
    await Promise.all([present.store.close(), then.store.close()]);
  });

  it.each(moments.sort((a, b) => Number(a - b)))(
    "are those of a store that was fed until then (%s)",
    async (moment) => {
      await then.goOn(commands, moment);
      await then.store.lifecycle.clean({ operations: new Set(["other"]), purgeLimit: null });
      const expected = await answers(then.store.queries);
      const past = await answers(await present.store.queriesAt(moment));
      for (const [pql, rows] of Object.entries(expected))
        expect.soft({ pql, rows: past[pql] }).toStrictEqual({ pql, rows });
      const [sql, sqlThen] = [await present.store.sql({ asOf: moment }), await then.store.sql()];
      const [shown, shownThen] = [await viewRows(sql), await viewRows(sqlThen)];
      for (const [view, rows] of Object.entries(shownThen))
        expect.soft({ view, rows: shown[view] }).toStrictEqual({ view, rows });
      sql.close();
      sqlThen.close();
    },
  );
});
