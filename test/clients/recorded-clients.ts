import { bolt } from "./requests/bolt.ts";
import { catalogDiff, octocatalogDiff } from "./requests/catalog-diff.ts";
import { choria } from "./requests/choria.ts";
import type { RecordedClient } from "./requests/client-request.ts";
import { foreman } from "./requests/foreman.ts";
import { connectionValidator, goPuppetdb } from "./requests/go-puppetdb.ts";
import { metricsCollector, nagios, telegraf } from "./requests/metrics-readers.ts";
import { openvoxView } from "./requests/openvox-view.ts";
import { prometheusDiscovery, prometheusExporter } from "./requests/prometheus.ts";
import { puppetboard } from "./requests/puppetboard.ts";
import { puppetdbCli } from "./requests/puppetdb-cli.ts";
import { ghostbuster, puppetdbRuby } from "./requests/puppetdb-ruby.ts";
import { puppetdbquery } from "./requests/puppetdbquery.ts";
import { terminus } from "./requests/terminus.ts";
import { terraform } from "./requests/terraform.ts";

/** Every client whose requests are known, in the order of `reference/clients.md`. */
export const recordedClients: readonly RecordedClient[] = [
  terminus,
  puppetboard,
  openvoxView,
  puppetdbCli,
  prometheusExporter,
  prometheusDiscovery,
  choria,
  bolt,
  puppetdbRuby,
  ghostbuster,
  foreman,
  terraform,
  puppetdbquery,
  catalogDiff,
  octocatalogDiff,
  goPuppetdb,
  connectionValidator,
  metricsCollector,
  telegraf,
  nagios,
];
