import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { online } from "../data/online.ts";

/** Says that the server is gone, and that it is back. What was shown before stays. */
export function ConnectionBanner(): JSX.Element {
  const is = online.value;
  const was = useRef(true);
  const [isBack, setIsBack] = useState(false);
  useEffect(() => {
    const returned = is && !was.current;
    was.current = is;
    setIsBack(returned);
    if (!returned) return undefined;
    const timer = setTimeout(() => setIsBack(false), 4000);
    return () => clearTimeout(timer);
  }, [is]);
  return (
    <div role="status">
      {is ? null : (
        <p class="banner">No connection to the server. The page shows what it had; it tries again by itself.</p>
      )}
      {isBack ? <p class="banner banner-good">The server is back.</p> : null}
    </div>
  );
}
