import { bars, firstHalfPeak, type Measured } from "./figures.ts";
import type { MaintenanceRun } from "./maintenance.ts";
import type { Hour } from "./plan.ts";
import type { Band, Panel, Plot } from "./plot.ts";

const BLUE = "#1f6fb4";
const ORANGE = "#c8561b";
const BANDS = { maintenance: "#dfe3e8", compaction: "#f6dba6" };

/** What happened from minute to minute. */
export function hourPlot({ nodes, minutes }: Hour, measured: Measured, begin: number): Plot {
  return {
    title: `${nodes.toLocaleString("en")} nodes for ${minutes} minutes`,
    minutes,
    panels: panelsOf(measured),
    bands: bandsOf(measured.maintenance, { begin, minutes }),
  };
}

function panelsOf({ agents, dashboards, sizes }: Measured): Panel[] {
  const { selective, "whole-fleet": wholeFleet } = dashboards.latencies;
  const limit = bars.growth * firstHalfPeak(sizes.files);
  return [
    {
      title: "Longest wait until a command is stored",
      unit: "s",
      scale: "linear",
      series: [{ label: "", colour: BLUE, values: scaled(agents.waiting, 1e-3) }],
      bars: [{ label: "2 s", value: bars.wait / 1000 }],
    },
    {
      title: "Response time, 99th percentile of 10 s",
      unit: "ms",
      scale: "log",
      series: [
        { label: "selective queries", colour: BLUE, values: selective.byInterval },
        { label: "whole-fleet queries", colour: ORANGE, values: wholeFleet.byInterval },
      ],
      bars: [
        { label: "selective: 100 ms", value: bars.selective },
        { label: "whole fleet: 1 s", value: bars.wholeFleet },
      ],
    },
    {
      title: "Resident memory",
      unit: "MB",
      scale: "linear",
      series: [{ label: "", colour: BLUE, values: scaled(sizes.memory, 1e-6) }],
      bars: [{ label: "1.2 GB", value: bars.memory / 1e6 }],
    },
    {
      title: "Files of the data directory",
      unit: "MB",
      scale: "linear",
      series: [{ label: "", colour: BLUE, values: scaled(sizes.files, 1e-6) }],
      bars: [{ label: "peak of the first half + 5 %", value: limit / 1e6 }],
    },
  ];
}

function scaled(values: readonly (number | null)[], factor: number): (number | null)[] {
  return values.map((value) => (value === null ? null : value * factor));
}

function bandsOf(
  runs: readonly MaintenanceRun[],
  { begin, minutes }: { readonly begin: number; readonly minutes: number },
): Band[] {
  return runs.flatMap(({ operation, end, duration }) => {
    const to = (end - begin) / 60_000;
    const from = Math.max(0, to - duration / 60_000);
    if (to < 0 || to > minutes) return [];
    const label = operation === "compaction" ? operation : "maintenance";
    return { label, colour: BANDS[label], from, to };
  });
}
