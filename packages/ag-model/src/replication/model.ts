/** Builds the replication model of a capture: join, align, measure (docs/model.md 3 to 5). */
import { alignClocks } from "./align.ts";
import type { Continuity } from "./continuity.ts";
import { joinEvents } from "./join.ts";
import { measureTables } from "./measure.ts";
import { notesOf } from "./notes.ts";
import type { ReplicaInput } from "./replica-input.ts";
import { eventsInRole } from "./roles.ts";
import { givenName, refuseWrongRole, sortOut } from "./sort-out.ts";
import type { CaptureModel } from "./tables.ts";
import type { Topology } from "./topology.ts";

/** What building a model is busy with: putting events to blocks, the clocks on one, the tables together. */
export type ModelPhase = "join" | "align" | "measure";

/**
 * Builds the model of one primary and any number of secondaries; either side may be missing. Throws ModelError when the
 * captures contradict each other or hold no log blocks of an availability database.
 * @param onPhase called when a phase begins, with the number of log blocks known by then
 */
export function buildModel(
  inputs: readonly ReplicaInput[],
  topology?: Topology,
  onPhase: (phase: ModelPhase, blocks: number) => void = () => {},
  continuity?: Continuity,
): CaptureModel {
  onPhase("join", 0);
  for (const input of inputs) refuseWrongRole(input);
  const inRole = inputs.map((input) => ({ input, ...eventsInRole(input.columns, input.role) }));
  const sorted = sortOut(inRole.map(({ input, columns }) => ({ ...input, columns })));
  const joined = joinEvents(sorted, (blocks) => onPhase("join", blocks));
  onPhase("align", joined.rows.length);
  const alignments = alignClocks(joined, continuity);
  onPhase("measure", joined.rows.length);
  const model = measureTables(joined, alignments, topology, continuity);
  const changed = inRole.filter((each) => each.changed).map(({ input }) => roleChangeNote(input));
  return { ...model, notes: [...changed, ...notesOf(model, joined.servers, joined.first === 1)] };
}

const roleChangeNote = (input: ReplicaInput): string =>
  `${givenName(input)} changed its role during the capture: only the time in which it was the ${input.role} is analysed.`;
