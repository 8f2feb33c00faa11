/** D13: clocks that stepped or changed their speed while the capture ran. */
import { clockSteps } from "../replication/clock-steps.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { plainFinding } from "./plain-finding.ts";
import { replicaName } from "./paths.ts";
import type { Finding } from "./verdict.ts";
import { formatCount, formatDuration, formatTimeOfDay } from "../words/words.ts";

const MOST_NAMED = 3;

export function clockChanges(model: CaptureModel): Finding[] {
  return model.clocks.flatMap((clock) => {
    const { secondary, against, status, windows } = clock;
    if (status !== "aligned" || windows.length < 2) return [];
    const names = `${replicaName(model, secondary + 1)} against ${replicaName(model, against)}'s`;
    const steps = clockSteps(clock);
    const when = (at: number): string => formatTimeOfDay(model.origin, at, 1);
    const [first] = steps;
    const checkNext = ["Snapshots or live migration of the virtual machines at that time"];
    if (first === undefined) {
      const sentence = `The counter of ${names} changes its speed at ${when(windows[1].from)}. Round trips stay exact.`;
      return [plainFinding("D13", "data_quality", "none", sentence, { replica: secondary + 1, checkNext })];
    }
    const named = steps
      .slice(0, MOST_NAMED)
      .map(({ at, us }) => `by ${us > 0 ? "+" : ""}${formatDuration(us)} at ${when(at)}`)
      .join(", ");
    const more = steps.length > MOST_NAMED ? ` and ${formatCount(steps.length - MOST_NAMED)} more times` : "";
    const sentence = `The counter of ${names} steps ${named}${more}. Round trips stay exact.`;
    return [
      plainFinding("D13", "clock_step", "none", sentence, {
        replica: secondary + 1,
        window: { from: first.at, to: steps[steps.length - 1].at },
        threshold: "more than the clocks' uncertainty",
        source: "AG Lens default",
        checkNext,
      }),
    ];
  });
}
