import { type ReactNode, useEffect } from "react";
import { Kbd } from "../../ui/controls.tsx";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { firstViewName, isFirstPart, shownRange } from "../capture-view/shown-range.ts";

/** Puts what is in view, and the keys of the overview, into the page's status bar. */
export function OverviewStatus(): ReactNode {
  const { summary, view, setStatus } = useCapture();
  const first = firstViewName(summary);
  const isPart = isFirstPart(summary);
  const zoomed = view.range !== null;
  const [shownFrom, shownTo] = shownRange(view, summary);
  const span = shownTo - shownFrom;
  const [from, to] = summary.common;
  const common = from === null || to === null ? null : to - from;
  const covering = summary.replicas.filter((r) => r.hasCapture).length;
  useEffect(() => {
    const by = covering === 2 ? "both replicas" : `all ${covering} replicas`;
    const covered =
      covering < 2 || common === null || isPart ? "" : `, ${durationText(common)} covered by ${by}`;
    setStatus(
      <>
        <span>{zoomed ? `${durationText(span)} in view` : `${first}, ${durationText(span)}${covered}`}</span>
        <span>Drag to zoom to a range</span>
        <span>
          <Kbd>n</Kbd> <Kbd>p</Kbd> next, previous in the list
        </span>
        <span>
          <Kbd>Enter</Kbd> open
        </span>
        {(zoomed || isPart) && (
          <span>
            <Kbd>f</Kbd> whole capture
          </span>
        )}
      </>,
      "Redo is not measured by these events",
    );
  }, [setStatus, first, isPart, span, zoomed, common, covering]);
  return null;
}
