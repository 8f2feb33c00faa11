/** Marks of blocks of several databases that have one LSN: each database has its own log. */
import { formatLsn } from "@aglens/ag-model/replication";
import type { BlockWindow } from "@aglens/contract";
import { type NamedMark, withFittingNames } from "./mark-names.ts";

/** A block whose LSN is also the LSN of another block in view. */
export interface EqualBlock {
  /** In the capture. */
  readonly row: number;
  readonly database: number;
  readonly lsn: string;
  /** When it begins, µs. */
  readonly time: number;
}

/** A mark of one of these blocks, in the order of time. */
interface EqualMark extends NamedMark, EqualBlock {}

/** Width of a letter of an LSN and its database's name, px. */
const LETTER_PX = 6.6;
/**
 * Largest number of blocks in view that are all marked. With more, only the selected block's are marked: the others
 * would look like one bar.
 */
const MOST = 120;

/** Blocks of a window whose LSN equals the LSN of a block of another database in it, in the order of time. */
export function equalBlocks({ blocks, row }: Pick<BlockWindow, "blocks" | "row">): EqualBlock[] {
  const byId = new Map<bigint, number[]>();
  for (let i = 0; i < blocks.length; i++) {
    const equal = byId.get(blocks.blockId[i]);
    if (equal === undefined) byId.set(blocks.blockId[i], [i]);
    else equal.push(i);
  }
  return [...byId.values()]
    .filter((equal) => new Set(equal.map((i) => blocks.database[i])).size > 1)
    .flat()
    .map((i) => ({
      row: row[i],
      database: blocks.database[i],
      lsn: formatLsn(blocks.blockId[i]),
      time: blocks.time[i],
    }))
    .toSorted((a, b) => a.time - b.time);
}

/** Blocks in view whose LSN is in view twice or equals the selected block's. @param range µs */
export function equalBlocksInView(
  equal: readonly EqualBlock[],
  [from, to]: readonly [number, number],
  selected: string | null,
): EqualBlock[] {
  const inView = equal.filter(({ time }) => time >= from && time < to);
  const counts = new Map<string, number>();
  for (const { lsn } of inView) counts.set(lsn, (counts.get(lsn) ?? 0) + 1);
  return inView.filter(({ lsn }) => lsn === selected || (counts.get(lsn) ?? 0) > 1);
}

/**
 * Marks of these blocks; with many blocks only those of the selected block's LSN. Among blocks with one LSN the last
 * has its name after its mark and the others have it before, as far as there is room. The selected block's names are
 * placed first.
 * @param nameOf name of a database @param width px of the range
 */
export function equalMarks(
  inView: readonly EqualBlock[],
  [from, to]: readonly [number, number],
  width: number,
  selected: string | null,
  nameOf: (database: number) => string,
): EqualMark[] {
  const marked = inView.length > MOST ? inView.filter(({ lsn }) => lsn === selected) : inView;
  const marks = marked.map((block): EqualMark => {
    const isBeforeMate = marked.some(({ lsn, time }) => lsn === block.lsn && time > block.time);
    return {
      ...block,
      x: ((block.time - from) / (to - from)) * width,
      width: 0,
      name: `${block.lsn} ${nameOf(block.database)}`,
      isNameBefore: isBeforeMate,
    };
  });
  const byWorth = marks.toSorted((a, b) => Number(b.lsn === selected) - Number(a.lsn === selected));
  return withFittingNames(marks, byWorth, width, LETTER_PX);
}
