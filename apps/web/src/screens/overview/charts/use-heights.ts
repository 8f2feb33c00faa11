import { useEffect, useState } from "react";

/** Heights of the plots, px. */
export interface Heights {
  readonly latency: number;
  readonly share: number;
  readonly rate: number;
  readonly minimap: number;
}

/** Plots grow on wide screens; the minimap shrinks on low ones (docs/contribute/design.md 3). */
export function heightsFor(innerWidth: number, innerHeight: number): Heights {
  const wide = innerWidth >= 1680;
  const minimap = innerHeight < 700 ? 24 : wide ? 36 : 30;
  if (wide && innerHeight >= 960) return { latency: 270, share: 168, rate: 80, minimap };
  // On a laptop's height, charts and rail are lower, so that the slowest blocks begin above the fold.
  return innerHeight < 860
    ? { latency: 160, share: 88, rate: 40, minimap }
    : { latency: 204, share: 100, rate: 40, minimap };
}

/**
 * Heights of one row for each database: the rows share the height of the charts of a single database, including that of
 * the shares.
 */
export const rowHeights = (
  { latency, share, rate }: Heights,
  databases: number,
): Pick<Heights, "latency" | "rate"> =>
  databases === 0
    ? { latency, rate }
    : {
        latency: Math.floor((latency + share + SHARE_HEAD_PX) / databases),
        rate: Math.max(LEAST_RATE_PX, Math.floor((1.5 * rate) / databases)),
      };

/** Height of the share chart's head outside its plot, px. */
const SHARE_HEAD_PX = 24;
const LEAST_RATE_PX = 24;

/** Height of the heads of three charts, the axis and the card's own edges, in addition to the plots, px. */
const PANEL_REST_PX = 114;

/** Height of the charts' card, reserved while they load so that nothing moves when they appear. */
export function panelHeight({ latency, share, rate, minimap }: Heights): number {
  return latency + share + rate + minimap + PANEL_REST_PX;
}

/** Heights for the window as it is. */
export function useHeights(): Heights {
  const [heights, setHeights] = useState(() => heightsFor(window.innerWidth, window.innerHeight));
  useEffect(() => {
    const onResize = (): void => setHeights(heightsFor(window.innerWidth, window.innerHeight));
    window.addEventListener("resize", onResize);
    return () => window.removeEventListener("resize", onResize);
  }, []);
  return heights;
}
