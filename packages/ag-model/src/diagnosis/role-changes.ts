/** D18: another server became the primary while the capture ran. */
import type { CaptureModel, Phase } from "../replication/tables.ts";
import { replicaName } from "./paths.ts";
import { plainFinding } from "./plain-finding.ts";
import type { Finding } from "./verdict.ts";
import { formatDuration, formatTimeOfDay } from "../words/words.ts";

/** D18: a database got another primary; from the last commit of the old one to the first of the new one. */
export function roleChanges(model: CaptureModel): Finding[] {
  const withBlocks = new Set(model.blocks.phase);
  return model.phases.flatMap((next, index) => {
    // Rows of one database have none of another group's phases.
    if (!withBlocks.has(index)) return [];
    const before = model.phases.findLast(
      ({ databases }, k) => k < index && databases.some((d) => next.databases.includes(d)),
    );
    if (before === undefined || before.primary === next.primary) return [];
    // Of a stretch after the change nothing is known of the time before it.
    if (!withBlocks.has(model.phases.indexOf(before))) return [];
    const [from, to] = [lastCommitEnd(model, before), firstCommitEnd(model, next)];
    const [old, now] = [before, next].map(({ primary }) => replicaName(model, primary));
    const when = `At ${formatTimeOfDay(model.origin, to)}`;
    const sentence = `${when} ${now} took over from ${old}; no commit ended for ${formatDuration(to - from)}.`;
    return [
      plainFinding("D18", "role_change", "notice", sentence, {
        replica: next.primary,
        database: next.databases.length === 1 ? next.databases[0] : null,
        window: { from, to },
        source: "the events that only a primary has",
        checkNext: [
          "Why the roles changed: the cluster log, the system_health and AlwaysOn_health sessions",
          `Whether log blocks that ${old} wrote last were hardened on ${now}`,
        ],
      }),
    ];
  });
}

/** End of the last commit of a phase; of its last block where no commit is known, µs. */
function lastCommitEnd({ commits, blocks, phases }: CaptureModel, phase: Phase): number {
  let last = Number.NaN;
  for (let c = 0; c < commits.length; c++)
    if (
      commits.block[c] >= 0 &&
      phases[blocks.phase[commits.block[c]]] === phase &&
      !(commits.end[c] <= last)
    )
      last = commits.end[c];
  return Number.isNaN(last) ? phase.to : last;
}

function firstCommitEnd({ commits, blocks, phases }: CaptureModel, phase: Phase): number {
  let first = Number.NaN;
  for (let c = 0; c < commits.length; c++)
    if (
      commits.block[c] >= 0 &&
      phases[blocks.phase[commits.block[c]]] === phase &&
      !(commits.end[c] >= first)
    )
      first = commits.end[c];
  return Number.isNaN(first) ? phase.from : first;
}
