/** The expectation that file writes belong to log writes, and that their publish times split those. */
import { EventKind, MODES, type FileReading } from "../events/index.ts";
import { primaryOfBlock, replicaOfHop, type CaptureModel, type WriteParts } from "../replication/index.ts";
import type { Expectation } from "./expectation.ts";
import { nameOfKind, sumOf, type CaptureFacts } from "./facts.ts";
import { expectation, number } from "./row.ts";
import { plural } from "../words/words.ts";

/** If fewer log writes are split, file writes are not what they are read as, or publish times are too coarse. */
const LEAST_SPLIT_SHARE = 0.5;

interface SplitWrites {
  /** Log writes, those of a database before its first split one not included: its log file was not known yet. */
  writes: number;
  split: number;
}

const hasFileWrites = ({ modes }: FileReading): boolean => {
  const first = EventKind.fileWriteCompleted * MODES;
  return modes.slice(first, first + MODES).some((events) => events > 0);
};

/** By replica: its log writes, and those whose parts are known. */
function splitWritesOf(model: CaptureModel): SplitWrites[] {
  const { blocks, hops, databases } = model;
  const found = model.replicas.map(() => databases.map((): SplitWrites => ({ writes: 0, split: 0 })));
  const count = (replica: number, us: number, { writeQueue }: WriteParts, row: number): void => {
    if (Number.isNaN(us)) return;
    const own = found[replica][blocks.database[row]];
    const isSplit = !Number.isNaN(writeQueue[row]);
    if (isSplit && own.split === 0) own.writes = 0;
    own.writes++;
    if (isSplit) own.split++;
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
  return found.map((own) => ({
    writes: sumOf(own, ({ writes }) => writes),
    split: sumOf(own, ({ split }) => split),
  }));
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
    found: `${plural(recording.length, "# server", "# servers")} with ${nameOfKind(EventKind.fileWriteEnqueued)} and ${nameOfKind(EventKind.fileWriteCompleted)}`,
    results: "Queue and device of log writes",
    examples: met === writes ? [] : [`${number(writes - met)} log writes have no file writes of their own.`],
  });
}
