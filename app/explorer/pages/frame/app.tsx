import type { ComponentType, JSX } from "preact";
import { ErrorBoundary, lazy, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { href, setNavigation, useParameter } from "../address/address.ts";
import { type PageKey, paths } from "../address/pages.ts";
import { chosenIn, chosenTime, following, liveCodec, zoneCodec } from "../data/as-of.ts";
import { zone } from "../time/format.ts";
import { Frame } from "./frame.tsx";
import { announce, Page } from "./page.tsx";
import { checkNow } from "../data/about.ts";
import { online } from "../data/fetch-json.ts";

/** A page's module: its component is the default export. */
type PageModule = Promise<{ readonly default: ComponentType }>;

/** Loads the module of each page; `address/pages.ts` has their paths. */
const pages: Readonly<Record<PageKey, () => PageModule>> = {
  overview: () => import("../overview/page.tsx"),
  issues: () => import("../issues/page.tsx"),
  issue: () => import("../issue/page.tsx"),
  nodes: () => import("../nodes/page.tsx"),
  node: () => import("../node/page.tsx"),
  graph: () => import("../graph/page.tsx"),
  reports: () => import("../reports/page.tsx"),
  report: () => import("../report/page.tsx"),
  runs: () => import("../runs/page.tsx"),
  "run-times": () => import("../run-times/page.tsx"),
  events: () => import("../events/page.tsx"),
  facts: () => import("../facts/page.tsx"),
  fact: () => import("../fact/page.tsx"),
  resources: () => import("../resources/page.tsx"),
  resource: () => import("../resource/page.tsx"),
  classes: () => import("../classes/page.tsx"),
  packages: () => import("../packages/page.tsx"),
  package: () => import("../package/page.tsx"),
  compare: () => import("../compare/page.tsx"),
  query: () => import("../query/page.tsx"),
  search: () => import("../search/page.tsx"),
  wall: () => import("../wall/page.tsx"),
  status: () => import("../status/page.tsx"),
  help: () => import("../help/page.tsx"),
};

const components = new Map<string, ComponentType>(
  Object.entries(pages).map(([key, load]) => [key, lazy(() => load().catch(() => ({ default: NotLoaded })))]),
);

/** All of the explorer. */
export function App(): JSX.Element {
  return (
    <LocationProvider scope="/explorer">
      <Pages />
    </LocationProvider>
  );
}

function Pages(): JSX.Element {
  const { route, path, url } = useLocation();
  const [chosenZone] = useParameter("zone", zoneCodec);
  const [live] = useParameter("live", liveCodec);
  useLayoutEffect(() => setNavigation(route), [route]);
  // Before anything renders a time with it.
  if (zone.peek() !== chosenZone) zone.value = chosenZone;
  const chosen = chosenIn(new URL(url, location.origin).search);
  if (chosenTime.peek() !== chosen) chosenTime.value = chosen;
  if (following.peek() !== (live === "on")) following.value = live === "on";
  if (!isDecodable(path)) {
    return (
      <Frame>
        <NotFound />
      </Frame>
    );
  }
  return (
    <Frame>
      <ErrorBoundary>
        <Router>
          {(Object.keys(paths) as PageKey[]).map((key) => (
            <Route key={key} path={paths[key]} component={components.get(key) ?? NotFound} />
          ))}
          <Route default component={NotFound} />
        </Router>
      </ErrorBoundary>
    </Frame>
  );
}

/** The router decodes each segment, and fails where one is malformed. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Shown where the explorer has no page. */
function NotFound(): JSX.Element {
  return (
    <Page title="No such page">
      <p>
        The explorer has no page <code>{location.pathname}</code>. Go to the <a href={href("overview")}>overview</a>.
      </p>
    </Page>
  );
}

/**
 * Shown instead of a page whose program could not be loaded. Browsers remember a module that failed, so the page is
 * loaded again as a whole once the server is back.
 */
function NotLoaded(): JSX.Element {
  const isOnline = online.value;
  const wasAway = useRef(false);
  useEffect(() => {
    announce("This page could not be loaded");
    void checkNow();
  }, []);
  useEffect(() => {
    if (isOnline && wasAway.current) location.reload();
    wasAway.current = !isOnline;
  }, [isOnline]);
  return (
    <div class="problem" role="alert">
      <p>This page could not be loaded. The server may be away, or was updated meanwhile.</p>
      <p class="problem-actions">
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </p>
    </div>
  );
}
