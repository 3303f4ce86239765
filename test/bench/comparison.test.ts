import { describe, expect, it } from "vitest";
import { changesOf, type Measured } from "./comparison.ts";

const latency = { scenario: "query/nodes", metric: "answer", unit: "milliseconds" } as const;
const speed = { scenario: "import", metric: "speed", unit: "commands/s" } as const;
const ratio = { scenario: "peer-queries/nodes", metric: "ratio", unit: "ratio" } as const;

/** Eight and more samples have quartiles: here 10 and 11, independent of the slowest one. */
const steady = [10, 10, 10, 10.5, 10.5, 11, 11, 30];

function by(add: number): number[] {
  return steady.map((sample) => sample + add);
}

const cases: [what: string, before: Measured, samples: readonly number[], verdict: string | undefined][] = [
  ["the same", { ...latency, samples: steady }, steady, undefined],
  ["a time that is longer by less than the middle half is wide", { ...latency, samples: steady }, by(1), undefined],
  ["a time that is longer by more than that", { ...latency, samples: steady }, by(1.5), "worse"],
  ["a time that is shorter by more than that", { ...latency, samples: steady }, by(-1.5), "better"],
  [
    "a time after which the samples are far apart",
    { ...latency, samples: steady },
    [9, 9, 9, 12, 12, 18, 18, 18],
    undefined,
  ],
  ["a time before which they were", { ...latency, samples: [9, 9, 9, 12, 12, 18, 18, 18] }, by(5), undefined],
  ["samples that are all alike, a tenth more", { ...latency, samples: [10, 10, 10] }, [11, 11, 11], undefined],
  ["samples that are all alike, more than a tenth", { ...latency, samples: [10, 10, 10] }, [11.1, 11.1, 11.1], "worse"],
  ["few samples, within all of the earlier ones", { ...latency, samples: [10, 12, 16] }, [17, 17, 17], undefined],
  ["few samples, beyond all of the earlier ones", { ...latency, samples: [10, 12, 16] }, [19, 19, 19], "worse"],
  ["one sample, a quarter more", { ...latency, samples: [10] }, [12.5], undefined],
  ["one sample, more than a quarter", { ...latency, samples: [10] }, [12.6], "worse"],
  ["a speed that is lower", { ...speed, samples: [400, 410, 420] }, [300, 310, 320], "worse"],
  ["a speed that is higher", { ...speed, samples: [400, 410, 420] }, [500, 510, 520], "better"],
  ["a ratio that should be large", { ...ratio, samples: [4, 4, 4], target: { atLeast: 5 } }, [3, 3, 3], "worse"],
  ["a ratio that should be small", { ...ratio, samples: [4, 4, 4], target: { atMost: 5 } }, [3, 3, 3], "better"],
  ["a ratio that should be nothing", { ...ratio, samples: [4, 4, 4] }, [3, 3, 3], undefined],
];

describe("a figure compared with that of an earlier run", () => {
  it.each(cases)("%s", (_what, before, samples, verdict) => {
    expect(changesOf([before], [{ ...before, samples }]).map((change) => change.verdict)).toEqual(
      verdict === undefined ? [] : [verdict],
    );
  });

  it("is printed with both medians and the noise", () => {
    expect(changesOf([{ ...latency, samples: steady }], [{ ...latency, samples: by(9.5) }])).toEqual([
      { ...latency, verdict: "worse", before: 10.5, after: 20, noise: 1.05 },
    ]);
  });

  it("is left out when only one run has it", () => {
    const before = [{ ...latency, samples: [1] }];
    expect(
      changesOf(before, [
        { ...latency, metric: "compile", samples: [9] },
        { ...speed, samples: [9] },
      ]),
    ).toEqual([]);
  });
});
