/** What hostile texts set if a browser runs them as a script. */
export const HOSTILE_GLOBAL = "hostileTextRan";
const RAN = HOSTILE_GLOBAL;

/** Texts that a careless page runs as a script, at least notes on the console, or takes apart. */
const scripts: readonly string[] = [
  `<script>${RAN}=1</script>`,
  `<img src=x onerror=${RAN}=2>`,
  `"><svg onload=${RAN}=3>`,
  `" onmouseover="${RAN}=4`,
  `' autofocus onfocus='${RAN}=5`,
  `javascript:${RAN}=6`,
  `data:text/html,<script>parent.${RAN}=7</script>`,
  `</style><script>${RAN}=8</script>`,
  `</script></title></textarea><iframe srcdoc="<script>parent.${RAN}=9</script>">`,
  `<a href="javascript:${RAN}=10">x</a><form action=javascript:${RAN}=11><button>`,
  `<math><mtext></table><mglyph><style><img src onerror=${RAN}=12>`,
  `<base href=//elsewhere.invalid/><link rel=stylesheet href=//elsewhere.invalid/x.css>`,
  `<meta http-equiv=refresh content="0;url=//elsewhere.invalid">`,
  `//elsewhere.invalid/x`,
  `https://elsewhere.invalid/?q=<b>`,
  `url(//elsewhere.invalid/x.png); } * { color: red`,
  `{{7*7}}`,
  `{{constructor.constructor('${RAN}=13')()}}`,
  `\${${RAN}=14}`,
  `<!-- ]]> -->`,
];

/** Names of what every JavaScript object has. */
const names: readonly string[] = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "length",
  "then",
];

/** Characters that are not seen, or that change how others are shown. */
const characters: readonly string[] = [
  "invoice\u202Egpj.exe",
  "\u2066isolated\u2069 \u200Fright\u200E",
  "ad\u200Bmin\u200D\uFEFF\u00AD",
  "مرحبا بالعالم",
  "👩‍👩‍👧‍👦 e\u0301 Z\u0351\u036B\u0343",
  "line\nbreak\r\nand\ttab",
  "\u2028separated\u2029",
  "\u001b[31mred\u0007",
  " ",
  "lone \ud800 surrogate \udc00",
];

/** Texts that other programs run, or that mean something in an address or a query. */
const others: readonly string[] = [
  `=cmd|' /C calc'!A0`,
  "+1+1",
  "-2+3",
  "@SUM(1+1)",
  "../../etc/passwd",
  "..",
  "%2e%2e%2f%00",
  "a/b?c=d&e=f#g;h",
  "100%",
  `"] { } | limit 1`,
  `\\`,
  `'; DROP TABLE nodes; --`,
  `x.y["z"].0`,
  "true",
  "null",
  "1e400",
  "w".repeat(300),
];

/** Hostile texts that fit everywhere: without U+0000, which only values of facts, parameters and logs can have. */
export const hostileTexts: readonly string[] = [...scripts, ...names, ...characters, ...others];

/** Those that fit only there. */
export const textsWithNul: readonly string[] = ["nul\u0000byte", `\u0000<script>${RAN}=15</script>`];

/** Gives a field of a document one of the texts; other fields of the node get others, and other nodes other ones for it. */
export type Text = (field: string) => string;

/** A text for each field of a node; which one depends on the field and on the node. */
export function textsOf(index: number): Text {
  const fields = new Map<string, number>();
  return (field) => {
    let number = fields.get(field);
    if (number === undefined) fields.set(field, (number = fields.size));
    return hostileTexts[(index + number) % hostileTexts.length] as string;
  };
}
