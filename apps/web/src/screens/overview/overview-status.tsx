import { useEffect } from "react";
import { KeyHint } from "../../frame/key-hint.tsx";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { isFullRange, rangeName, shownRange } from "../capture-view/shown-range.ts";
import { useSlowestKind } from "./slowest-card.tsx";

/** Shows the range in view, and the most important keys, in the page's status bar. */
export function OverviewStatus(): null {
  const { summary, view, setStatus } = useCapture();
  const kind = useSlowestKind() === "commits" ? "commit" : "block";
  const shown = shownRange(view, summary);
  const isComplete = isFullRange(view, summary);
  // The length of the complete capture is under its name.
  const words = isComplete
    ? null
    : `${rangeName(shown, summary) ?? texts.inViewLabel}, ${durationText(shown[1] - shown[0])}`;
  useEffect(() => {
    setStatus(
      <>
        {words === null ? null : <span>{words}</span>}
        <KeyHint keys={["n", "p"]}>{texts.nextPrevious(kind)}</KeyHint>
        <KeyHint keys={["Enter"]}>{texts.open}</KeyHint>
        {isComplete ? (
          <KeyHint keys={["/"]}>{texts.filter}</KeyHint>
        ) : (
          <KeyHint keys={["f"]}>{texts.wholeCapturePart}</KeyHint>
        )}
      </>,
    );
  }, [setStatus, words, isComplete, kind]);
  return null;
}
