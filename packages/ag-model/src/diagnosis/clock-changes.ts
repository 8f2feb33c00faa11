/** D13: clocks that stepped or changed their speed while the capture ran. */
import type { CaptureModel } from "../replication/tables.ts";
import { plainFinding } from "./plain-finding.ts";
import { replicaName } from "./paths.ts";
import type { Finding } from "./verdict.ts";
import { formatCount, formatTimeOfDay } from "../words/words.ts";

export function clockChanges(model: CaptureModel): Finding[] {
  return model.clocks.flatMap(({ secondary, status, windows }) => {
    if (status !== "aligned" || windows.length < 2) return [];
    const name = replicaName(model, secondary + 1);
    const changes = windows.slice(1);
    const times = changes.slice(0, 3).map(({ from }) => formatTimeOfDay(model.origin, from, 1));
    const what = changes.length === 1 ? "changes once" : `changes ${formatCount(changes.length)} times`;
    const sentence = `The counter of ${name} against ${replicaName(model, 0)}'s ${what}, at ${times.join(", ")}: a step, a pause or another speed. Round trips stay exact.`;
    return [
      plainFinding("D13", "clock_step", "none", sentence, {
        replica: secondary + 1,
        window: { from: changes[0].from, to: changes[changes.length - 1].from },
        source: "AG Lens default",
        checkNext: ["Snapshots or live migration of the virtual machines at that time"],
      }),
    ];
  });
}
