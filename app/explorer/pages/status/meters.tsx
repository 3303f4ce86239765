import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Spark } from "../charts/spark.tsx";
import { Panel } from "../frame/panel.tsx";
import { usePolled } from "./use-beans.ts";

/** A meter as `/pdb/dashboard/data` answers it. */
interface Meter {
  readonly id: string;
  readonly description: string;
  readonly addendum: string;
  readonly value: number | null;
  /** d3's notation; one that ends with `%` is a share of 1. */
  readonly format: string;
  readonly clampToZero?: number;
}

const EVERY_MS = 5000;
/** Readings that are shown: five minutes. */
const SHOWN = 60;

/** Before the page was opened nothing was read. */
const none: readonly number[] = Array.from({ length: SHOWN }, () => 0);

/** The meters of PuppetDB's dashboard as numbers, with their course over the last five minutes, as far as the page has been open. */
export function Meters(): JSX.Element {
  const loaded = usePolled<readonly Meter[]>({ name: "Meters", path: "/pdb/dashboard/data" }, EVERY_MS);
  const courses = useCourses(loaded.value);
  return (
    <Panel title="Meters" loaded={loaded} height={300} class="steady">
      <ul class="meters">
        {(loaded.value ?? []).map((meter) => (
          <li key={meter.id}>
            <span class="meter-value">{meterText(meter)}</span>
            <span>
              {meter.description} <span class="muted">{meter.addendum}</span>
            </span>
            <Spark values={courses.get(meter.id) ?? none} label={`${meter.description}, last 5 minutes`} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function useCourses(meters: readonly Meter[] | undefined): ReadonlyMap<string, readonly number[]> {
  const [courses, setCourses] = useState<ReadonlyMap<string, readonly number[]>>(new Map());
  useEffect(() => {
    if (meters === undefined) return;
    setCourses(
      (before) =>
        new Map(meters.map(({ id, value }) => [id, [...(before.get(id) ?? none), value ?? 0].slice(-SHOWN)] as const)),
    );
  }, [meters]);
  return courses;
}

const percent = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** A meter's value as its format says. */
export function meterText({ value, format, clampToZero = 0 }: Meter): string {
  if (value === null) return "–";
  const shown = Math.abs(value) < clampToZero ? 0 : value;
  return (format.endsWith("%") ? percent : compact).format(shown);
}
