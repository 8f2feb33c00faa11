import { type ReactNode, useEffect } from "react";
import { Kbd } from "../../ui/controls.tsx";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "../capture-context.ts";
import { wholeName } from "../scope-words.ts";

/** Puts what is in view, and the keys of the overview, into the page's status bar. */
export function OverviewStatus(): ReactNode {
  const { summary, view, setStatus } = useCapture();
  const whole = wholeName(summary);
  const zoomed = view.range !== null;
  const span = view.range === null ? summary.durationUs : view.range[1] - view.range[0];
  const [first, last] = summary.common;
  const common = first === null || last === null ? null : last - first;
  const covering = summary.replicas.filter((r) => r.hasCapture).length;
  useEffect(() => {
    const by = covering === 2 ? "both replicas" : `all ${covering} replicas`;
    const covered = covering < 2 || common === null ? "" : `, ${durationText(common)} covered by ${by}`;
    setStatus(
      <>
        <span>{zoomed ? `${durationText(span)} in view` : `${whole}, ${durationText(span)}${covered}`}</span>
        <span>Drag to zoom to a range</span>
        <span>
          <Kbd>n</Kbd> <Kbd>p</Kbd> next, previous in the list
        </span>
        <span>
          <Kbd>Enter</Kbd> open
        </span>
        {zoomed && (
          <span>
            <Kbd>f</Kbd> whole capture
          </span>
        )}
      </>,
      "Redo is not measured by these events",
    );
  }, [setStatus, whole, span, zoomed, common, covering]);
  return null;
}
