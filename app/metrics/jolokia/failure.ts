/** Classes that clients know errors by. */
const classes = {
  argument: ["java.lang.IllegalArgumentException", 400],
  number: ["java.lang.NumberFormatException", 400],
  "no-attribute": ["javax.management.AttributeNotFoundException", 404],
  "no-instance": ["javax.management.InstanceNotFoundException", 404],
  forbidden: ["java.lang.Exception", 403],
  arithmetic: ["java.lang.ArithmeticException", 500],
  fault: ["java.lang.RuntimeException", 500],
} as const satisfies Readonly<Record<string, readonly [className: string, status: number]>>;

/** Why a request fails, with PuppetDB's text (`reference/metrics.md §2`). */
export class JolokiaFailure extends Error {
  readonly className: string;
  /** Of the envelope; the HTTP answer is a 200. */
  readonly status: number;

  constructor(kind: keyof typeof classes, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "JolokiaFailure";
    [this.className, this.status] = classes[kind];
  }
}
