/** Lanes that the user pinned: they are above the others, in their given order. */
import type { Lane } from "./lanes.ts";

const areOfOnePlace = (a: Lane, b: Lane): boolean => a.place === b.place && a.replica === b.replica;

/** Heading of a lane away from its group: its own heading, otherwise that of its place. */
const headingAlone = (lane: Lane, all: readonly Lane[]): string =>
  lane.heading ||
  (all.find((each) => each.heading !== "" && areOfOnePlace(each, lane))?.heading ??
    all.find((each) => each.heading !== "" && each.place === lane.place)?.heading ??
    "");

/**
 * Pinned lanes, then the others in their order: a lane that becomes the first of its place takes over the heading.
 * @param shown those of open groups, and of folded ones @param all of the capture: a pinned lane is shown also while
 * its group is folded
 */
export function withPinned(shown: readonly Lane[], all: readonly Lane[], pinned: readonly string[]): Lane[] {
  const found = pinned.flatMap((key) => all.find((lane) => lane.key === key) ?? []);
  if (found.length === 0) return [...shown];
  const rest = shown.filter((lane) => !found.some(({ key }) => key === lane.key));
  const headings = new Map<Lane, string>();
  for (const gone of shown.filter((lane) => lane.heading !== "" && !rest.includes(lane))) {
    const heir = rest.find((lane) => lane.heading === "" && !headings.has(lane) && areOfOnePlace(lane, gone));
    if (heir !== undefined) headings.set(heir, gone.heading);
  }
  const above = found.map((lane) => ({
    ...lane,
    heading: headingAlone(lane, all),
    tall: true,
    pinned: true,
  }));
  const below = rest.map((lane) => ({ ...lane, heading: headings.get(lane) ?? lane.heading }));
  const lanes = [...above, ...below];
  return lanes.map((lane, i) => {
    const before = lanes[i - 1];
    const goesOn = before !== undefined && before.pinned === lane.pinned && areOfOnePlace(before, lane);
    return { ...lane, opensPlace: !goesOn };
  });
}

/** The pinned lanes after a press moved one: up pins it below the others or moves it, down moves it or unpins it. */
export function movedLane(pinned: readonly string[], key: string, by: -1 | 1): readonly string[] {
  const at = pinned.indexOf(key);
  if (at < 0) return by < 0 ? [...pinned, key] : pinned;
  const to = at + by;
  if (to < 0) return pinned;
  return pinned.toSpliced(at, 1).toSpliced(to, 0, ...(to < pinned.length ? [key] : []));
}

/**
 * The pinned lanes after one was dropped among the shown ones: it is pinned where it was dropped above the first lane
 * that is not pinned, and unpinned below that.
 * @param above number of the shown lanes above the place, itself not counted
 */
export function droppedLane(pinned: readonly string[], key: string, above: number): readonly string[] {
  const rest = pinned.filter((each) => each !== key);
  return above <= rest.length ? rest.toSpliced(above, 0, key) : rest;
}
