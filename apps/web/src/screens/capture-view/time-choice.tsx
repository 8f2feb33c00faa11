import type { ReactNode } from "react";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { Segmented } from "../../ui/controls.tsx";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "./capture-context.ts";
import {
  firstViewName,
  isFirstPart,
  rangeName,
  shownRange,
  unzoomedRange,
  WHOLE_CAPTURE,
  fullRangeOf,
} from "./shown-range.ts";

/**
 * Choice of a screen's time: the one that screens show first, all of the capture, or the range in view. Absent where
 * there is no choice.
 * @param followsZoom false where a screen never shows a range in view
 */
export function TimeChoice({ followsZoom }: { readonly followsZoom: boolean }): ReactNode {
  const { summary, view, setView } = useCapture();
  const shown = followsZoom ? shownRange(view, summary) : unzoomedRange(view.range, summary);
  const isPart = isFirstPart(summary);
  const name = rangeName(shown, summary);
  if (!isPart && name !== null) return null;
  const first = firstViewName(summary);
  const times = [first, ...(isPart ? [WHOLE_CAPTURE] : [])];
  return (
    <Segmented
      label={texts.range}
      value={name ?? "view"}
      options={[
        ...times.map((time) => ({ value: time, label: time })),
        ...(name === null ? [{ value: "view", label: texts.inView(durationText(shown[1] - shown[0])) }] : []),
      ]}
      onChange={(time) => {
        if (time !== "view") setView({ range: time === first ? null : fullRangeOf(summary) });
      }}
    />
  );
}
