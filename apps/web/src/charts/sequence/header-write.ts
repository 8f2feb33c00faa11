/**
 * The first block of a VLF is written after the VLF's header: there are two log writes, and the path has the second
 * (docs/contribute/model/diagnosis.md 6.2).
 */
import { EventName } from "@aglens/ag-model/events";
import type { Sequence } from "@aglens/contract";

/** Begin and end of the header's write on a replica, µs on the primary's clock; null for a block without one. */
export function headerWrite(sequence: Sequence, replica: number): readonly [number, number] | null {
  if (!sequence.vlfStart) return null;
  const fires = (name: string): number[] =>
    sequence.events
      .filter((event) => event.replica === replica && event.name === name)
      .flatMap(({ fire }) => (fire === null ? [] : [fire]))
      .toSorted((a, b) => a - b);
  const [starts, ends] = [fires(EventName.flushStart), fires(EventName.flushComplete)];
  if (starts.length < 2 || ends.length < 2 || ends[0] < starts[0] || ends[0] > starts[1]) return null;
  return [starts[0], ends[0]];
}
