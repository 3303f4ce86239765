import type { ComponentType, JSX } from "preact";
import { ErrorBoundary, lazy, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { useLayoutEffect } from "preact/hooks";
import { setNavigation, useParameter } from "../address/address.ts";
import { type PageKey, paths } from "../address/pages.ts";
import { chosenIn, chosenTime } from "../data/as-of.ts";
import { following, liveCodec } from "../data/live-choice.ts";
import { pages } from "../routes.ts";
import { zone } from "../time/format.ts";
import { Frame } from "./frame.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { NotFound } from "./not-found.tsx";
import { zoneCodec } from "./zone-choice.ts";

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
