/** A metric in the sense of Prometheus: samples that share a name. */
export interface PrometheusMetric {
  readonly name: string;
  readonly type: "counter" | "gauge" | "summary" | "histogram";
  readonly help: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  /** What follows the name: `_sum`, `_count`, `_bucket` */
  readonly suffix?: string;
  readonly labels: Labels;
  readonly value: number;
}

export type Labels = Readonly<Record<string, string>>;

/** The content type of the text format. */
export const prometheusType = "text/plain; version=0.0.4; charset=utf-8";

/** A metric's lines; none when it has no samples. */
export function metricText({ samples, ...head }: PrometheusMetric): string {
  if (samples.length === 0) return "";
  return headText(head) + samples.map((sample) => sampleText(head.name, sample)).join("");
}

export function headText({ name, type, help }: Omit<PrometheusMetric, "samples">): string {
  return `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
}

export function sampleText(name: string, { suffix = "", labels, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${numberText(value)}\n`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}
