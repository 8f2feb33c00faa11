/** Names next to marks on a line: which names have room, and on which side. */

export interface NamedMark {
  /** Left edge and length of the mark, px. */
  readonly x: number;
  readonly width: number;
  /** Name next to the mark where there is room for it, else null. */
  readonly name: string | null;
  /** The name is left of the mark instead of right of it. */
  readonly isNameBefore?: boolean;
}

/** Distance between a mark and its name, px. */
const BEFORE_NAME_PX = 8;
/** Half width of a mark of an instant, px. */
const HALF_MARK_PX = 3;

/** From left to right, px. */
type Extent = readonly [from: number, to: number];

const markExtent = ({ x, width }: NamedMark): Extent => [x - HALF_MARK_PX, x + width + HALF_MARK_PX];

function nameExtent({ x, width, name, isNameBefore }: NamedMark, letterPx: number): Extent {
  const length = (name?.length ?? 0) * letterPx;
  if (isNameBefore === true) return [x - BEFORE_NAME_PX - length, x - BEFORE_NAME_PX];
  return [x + width + BEFORE_NAME_PX, x + width + BEFORE_NAME_PX + length];
}

const overlap = (a: Extent, b: Extent): boolean => a[0] < b[1] && b[0] < a[1];

/**
 * The marks with those names that touch no mark, no other name and no edge.
 * @param byWorth the same marks, those with the most important names first
 * @param width of the line, px @param letterPx largest width of a letter
 * @param mayStandBefore whether a name without room after its mark may be placed before it
 */
export function withFittingNames<M extends NamedMark>(
  marks: readonly M[],
  byWorth: readonly M[],
  width: number,
  letterPx: number,
  mayStandBefore: (mark: M) => boolean = () => false,
): M[] {
  const taken = marks.map(markExtent);
  const placed = new Map<M, M>();
  const isFree = (extent: Extent): boolean =>
    extent[0] >= 0 && extent[1] <= width && !taken.some((each) => overlap(each, extent));
  for (const mark of byWorth) {
    const sides = [mark, ...(mayStandBefore(mark) ? [{ ...mark, isNameBefore: true }] : [])];
    const named = sides.find((each) => isFree(nameExtent(each, letterPx)));
    if (named === undefined) continue;
    taken.push(nameExtent(named, letterPx));
    placed.set(mark, named);
  }
  return marks.map((mark) => placed.get(mark) ?? { ...mark, name: null });
}
