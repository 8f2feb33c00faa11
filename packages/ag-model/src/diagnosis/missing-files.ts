/** Where rollover files of a server are missing between others: time that its files do not cover, though others before and behind it do. */
import { oncePerModel } from "../columns/index.ts";
import type { CaptureModel } from "../replication/tables.ts";
import { phaseWithBorders } from "./file-borders.ts";
import { lossesOf } from "./loss.ts";

/** A stretch without a file of a server, µs. */
export interface MissingFiles {
  /** Index into the model's replicas. */
  readonly replica: number;
  readonly from: number;
  readonly to: number;
}

/** From the last event of the file before to the first one of the file behind, as D15 finds them (docs/model.md 6.6); in order of time. */
export const missingFiles = (model: CaptureModel): readonly MissingFiles[] =>
  oncePerModel(model, "diagnosis/missing-files", () => {
    const found =
      model.phases.length > 1 ? model.phases.flatMap((_, phase) => ofPhase(model, phase)) : ofOne(model);
    // The same files may be missing before and after a change of roles.
    const isFirst = ({ replica, from, to }: MissingFiles, index: number): boolean =>
      found.findIndex((other) => other.replica === replica && other.from === from && other.to === to) ===
      index;
    return found.filter(isFirst).sort((a, b) => a.from - b.from);
  });

const ofOne = (model: CaptureModel): MissingFiles[] =>
  lossesOf(model).flatMap(({ replica, stretches }) =>
    stretches
      .filter(({ betweenFiles }) => betweenFiles !== null)
      .map(({ from, to }) => ({ replica, from, to })),
  );

function ofPhase(model: CaptureModel, phase: number): MissingFiles[] {
  const { model: own, replicas } = phaseWithBorders(model, phase);
  return ofOne(own).map((stretch) => ({ ...stretch, replica: replicas[stretch.replica] }));
}
