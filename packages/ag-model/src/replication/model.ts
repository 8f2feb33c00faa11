/** Builds the replication model of a capture: join, align, measure (docs/contribute/model/README.md). */
import { alignClocks } from "./alignment/align.ts";
import { joinEvents } from "./join/join.ts";
import { giveBackJoined } from "./measure/give-back.ts";
import { findGates } from "./measure/gates.ts";
import { measureTables } from "./measure/measure.ts";
import { splitByModes } from "./measure/mode-phases.ts";
import { warningsOf } from "./measure/warnings.ts";
import type { ModelWants } from "./measure/model-wants.ts";
import type { ModelInput } from "./prepare/server-input.ts";
import type { CaptureModel } from "./shapes/tables.ts";
import type { Topology } from "./shapes/topology.ts";

/** Current step of building a model: join events to blocks, align the clocks, measure the tables. */
export type ModelPhase = "join" | "align" | "measure";

/**
 * Builds the model of the servers of a capture; the primary of each database over time is found from their events.
 * Throws ModelError when the captures contradict each other or contain no log blocks of an availability database.
 * @param onPhase called when a phase begins, with the number of log blocks known by then
 */
export function buildModel(
  inputs: readonly ModelInput[],
  topology?: Topology,
  onPhase: (phase: ModelPhase, blocks: number) => void = () => {},
  wants: ModelWants = {},
): CaptureModel {
  onPhase("join", 0);
  const found = joinEvents(inputs, (blocks) => onPhase("join", blocks));
  // For the last seconds of a run that is read, the servers report the mode.
  const joined = wants.continuity === undefined ? splitByModes(found) : found;
  const gates = findGates(joined, topology);
  giveBackJoined(joined);
  onPhase("align", joined.rows.length);
  const aligned = alignClocks(joined, wants.continuity);
  onPhase("measure", joined.rows.length);
  const model = measureTables(joined, aligned, gates, topology, wants);
  const warnings = warningsOf(model, joined);
  return { ...model, warnings };
}
