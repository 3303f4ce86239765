import { interfaceVersion, version } from "../version.ts";

/** How often the page fetches its meters, ms. */
const POLLING_MS = 5000;

/**
 * The overview page: the meters of PuppetDB's dashboard as a table that is kept up to date. It loads nothing but its
 * meters, so that it works without the internet.
 */
export const dashboardPage = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Census</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
table { border-collapse: collapse; width: 100% }
td { border-bottom: 1px solid #8884; padding: .25rem .5rem }
td:first-child { text-align: right; font-variant-numeric: tabular-nums; width: 9rem }
small { opacity: .7 }
</style>
</head>
<body>
<h1>Census</h1>
<p>Version ${version}, speaking the interface of PuppetDB ${interfaceVersion}.
Query at <code>/pdb/query/v4</code>; status at <a href="/status/v1/services">/status/v1/services</a>; metrics at
<a href="/metrics">/metrics</a> and <a href="/metrics/v2/list">/metrics/v2</a>.</p>
<table id="meters"></table>
<p id="problem" role="status"></p>
<script>
const shown = ({ value, format, clampToZero = 0 }) => {
  if (value === null) return "–";
  const number = Math.abs(value) < clampToZero ? 0 : value;
  const style = format.endsWith("%")
    ? { style: "percent", maximumFractionDigits: 1 }
    : { notation: "compact", maximumSignificantDigits: 3 };
  return new Intl.NumberFormat("en", style).format(number);
};
const row = (meter) => {
  const line = document.createElement("tr");
  const [value, what] = [line.insertCell(), line.insertCell()];
  value.textContent = shown(meter);
  const addendum = document.createElement("small");
  addendum.textContent = meter.addendum;
  what.append(meter.description, " ", addendum);
  return line;
};
const refresh = async () => {
  const problem = document.getElementById("problem");
  try {
    const answer = await fetch("/pdb/dashboard/data");
    if (!answer.ok) throw new Error(await answer.text());
    document.getElementById("meters").replaceChildren(...(await answer.json()).map(row));
    problem.textContent = "";
  } catch (error) {
    problem.textContent = "Meters are not available at the moment: " + error.message;
  }
  setTimeout(refresh, ${POLLING_MS});
};
refresh();
</script>
</body>
</html>
`;
