/** D18: another server became the primary while the capture ran. */
import type { CaptureModel } from "../replication/tables.ts";
import { replicaName } from "./paths.ts";
import { plainFinding } from "./plain-finding.ts";
import type { Finding } from "./verdict.ts";
import { formatDuration, formatTimeOfDay } from "../words/words.ts";

/** One finding per change, databases that changed together taken together. */
export function roleChanges(model: CaptureModel): Finding[] {
  return model.phases.flatMap((phase, index) => {
    const before = model.phases.findLast(
      (each, i) => i < index && each.databases.some((database) => phase.databases.includes(database)),
    );
    if (before === undefined || before.primary === phase.primary) return [];
    const databases = phase.databases.map((database) => model.databases[database].name).join(", ");
    const sentence =
      `${replicaName(model, phase.primary)} became the primary of ${databases} at ${formatTimeOfDay(model.origin, phase.from)}; ` +
      `the last log block of ${replicaName(model, before.primary)} is ${formatDuration(phase.from - before.to)} older.`;
    return [
      plainFinding("D18", "role_change", "none", sentence, {
        replica: phase.primary,
        database: phase.databases.length === 1 ? phase.databases[0] : null,
        window: { from: before.to, to: phase.from },
        checkNext: ["AlwaysOn_health session: availability_replica_state_change", "Cluster log at that time"],
      }),
    ];
  });
}
