import { useCallback, useState } from "react";
import type { LiveRun } from "./live-run-context.ts";

/** Which counter lanes the user wants to see; what was not chosen is as usual. */
export function useGaugeChoice(): Pick<LiveRun, "gaugeChoice" | "chooseGauge"> {
  const [gaugeChoice, setChoice] = useState<LiveRun["gaugeChoice"]>({});
  const chooseGauge = useCallback(
    (key: string, isShown: boolean) => setChoice((now) => ({ ...now, [key]: isShown })),
    [],
  );
  return { gaugeChoice, chooseGauge };
}
