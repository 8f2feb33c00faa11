/** D20: the availability mode of a replica changed while the capture ran. */
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { phaseBorders, type ChangedMode } from "../../replication/shapes/phase-borders.ts";
import { formatTimeOfDay } from "../../words/words.ts";
import { replicaName } from "../paths.ts";
import { plainFinding } from "../plain-finding.ts";
import type { Finding } from "../verdict.ts";

/** D20: commits of a database start or stop waiting for a replica. The window is the instant of the change. */
export function modeChanges(model: CaptureModel): Finding[] {
  const withBlocks = new Set(model.blocks.phase);
  return phaseBorders(model.phases).flatMap((border) => {
    if (border.kind !== "modeChange" || !withBlocks.has(border.before) || !withBlocks.has(border.after))
      return [];
    const { databases, from } = model.phases[border.after];
    return border.changed.map((changed) =>
      plainFinding("D20", "mode_change", "notice", sentenceOf(model, changed, from), {
        replica: changed.replica,
        database: databases.length === 1 ? databases[0] : null,
        window: { from, to: from },
        source: "commits that end before or after the acknowledgment",
        checkNext: [
          `Query availability_mode_desc in sys.availability_replicas for ${replicaName(model, changed.replica)}`,
          "Search the AlwaysOn_health session for ALTER AVAILABILITY GROUP (availability_replica_manager_state_change, alwayson_ddl_executed)",
        ],
      }),
    );
  });
}

function sentenceOf(model: CaptureModel, { replica, mode }: ChangedMode, at: number): string {
  const name = replicaName(model, replica);
  const [commitMode, waits] =
    mode === "async"
      ? ["asynchronous-commit", "Commits no longer wait for it."]
      : ["synchronous-commit", "Commits wait for it from then on."];
  return `${name} became ${commitMode} at ${formatTimeOfDay(model.origin, at)}. ${waits}`;
}
