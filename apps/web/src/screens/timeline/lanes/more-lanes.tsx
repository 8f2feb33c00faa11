import { type ReactNode, type RefObject, useCallback, useSyncExternalStore } from "react";
import type { LaneBox } from "../../../charts/timeline/heights.ts";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";
import styles from "./more-lanes.module.css";

interface Props {
  readonly boxes: readonly Pick<LaneBox, "top" | "height">[];
  readonly scroller: RefObject<HTMLElement | null>;
  /** Height of the lanes that is visible at once, px. */
  readonly room: number;
}

/** Button at the lower edge while lanes are below it: shows their number, and scrolls down. */
export function MoreLanes({ boxes, scroller, room }: Props): ReactNode {
  const subscribe = useCallback(
    (onScroll: () => void) => {
      const node = scroller.current;
      node?.addEventListener("scroll", onScroll, { passive: true });
      return () => node?.removeEventListener("scroll", onScroll);
    },
    [scroller],
  );
  const hidden = useSyncExternalStore(
    subscribe,
    () =>
      boxes.filter(({ top, height }) => top + height / 2 > (scroller.current?.scrollTop ?? 0) + room).length,
  );
  if (hidden === 0 || room === 0) return null;
  return (
    <button
      type="button"
      className={styles.more}
      onClick={() => scroller.current?.scrollBy({ top: room / 2 })}
    >
      {texts.moreLane(hidden)}
    </button>
  );
}
