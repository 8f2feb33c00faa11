import type { ReactNode } from "react";
import { TimesChoice, type Times, useTimeChoice } from "../frame/times-choice.tsx";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import { serverZone, timeChoices } from "../screens/capture-view/zones.ts";

/** Format of the times of the open capture. */
export function useTimes(): Times {
  const { summary, view, setView } = useCapture();
  return useTimeChoice(timeChoices(summary), view.time, (time) => setView({ time }, "replace"));
}

/** Chooses the clock that times are shown in, or offsets from the start of the capture. */
export function StripTimes(): ReactNode {
  const { summary } = useCapture();
  return <TimesChoice times={useTimes()} server={serverZone(summary)?.name ?? null} />;
}
