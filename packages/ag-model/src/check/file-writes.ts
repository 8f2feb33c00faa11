/** The expectation that file writes belong to log writes, and that their publish times split those. */
import { EventKind, MODES, type FileReading } from "../events/index.ts";
import { primaryOfBlock, replicaOfHop, type CaptureModel, type WriteParts } from "../replication/index.ts";
import type { Expectation } from "./expectation.ts";
import { nameOfKind, sumOf, type CaptureFacts } from "./facts.ts";
import { expectation, number } from "./row.ts";

/** If fewer log writes are split, file writes are not what they are read as, or publish times are too coarse. */
const LEAST_SPLIT_SHARE = 0.5;

interface SplitWrites {
  writes: number;
  split: number;
}

const hasFileWrites = ({ modes }: FileReading): boolean => {
  const first = EventKind.fileWriteCompleted * MODES;
  return modes.slice(first, first + MODES).some((events) => events > 0);
};

/** By replica: its log writes, and those whose parts are known. */
function splitWritesOf(model: CaptureModel): SplitWrites[] {
  const found = model.replicas.map((): SplitWrites => ({ writes: 0, split: 0 }));
  const { blocks, hops } = model;
  const count = (replica: number, us: number, { writeQueue }: WriteParts, row: number): void => {
    if (Number.isNaN(us)) return;
    found[replica].writes++;
    if (!Number.isNaN(writeQueue[row])) found[replica].split++;
  };
  for (let row = 0; row < blocks.length; row++) {
    count(primaryOfBlock(model, row), blocks.localFlushEnd[row] - blocks.localFlushStart[row], blocks, row);
    for (const [slot, hop] of hops.entries())
      count(
        replicaOfHop(model, row, slot),
        hop.secondaryFlushEnd[row] - hop.secondaryFlushStart[row],
        hop,
        row,
      );
  }
  return found;
}

export function fileWritesExpectation({ model, readings }: CaptureFacts): Expectation {
  const recording =
    model === null || !readings.some(hasFileWrites)
      ? []
      : splitWritesOf(model).filter((_, replica) =>
          model.files.some((file) => file.replica === replica && file.reading && hasFileWrites(file.reading)),
        );
  const writes = sumOf(recording, (server) => server.writes);
  const met = sumOf(recording, (server) => server.split);
  return expectation({
    id: "file-writes",
    group: "values",
    title: "File writes of log writes",
    met,
    notMet: writes - met,
    unit: "log writes",
    isCritical: met < writes * LEAST_SPLIT_SHARE,
    expected:
      "Each log write has file writes of its database, at its place in the log file, and exact times.",
    found: `${nameOfKind(EventKind.fileWriteEnqueued)} and ${nameOfKind(EventKind.fileWriteCompleted)} of ${number(recording.length)} servers`,
    results: "Queue and device of log writes",
    examples: met === writes ? [] : [`${number(writes - met)} log writes have no file writes of their own.`],
  });
}
