import type { Lane } from "../../lanes/lanes.ts";
import { useKeys } from "../../ui/keys.ts";
import type { ScreenProps } from "../screen.ts";
import type { Cursor } from "./cursor.ts";
import type { BlockSelection } from "./use-block-selection.ts";
import { panBy, zoomAt, type Viewport } from "./viewport.ts";

/** Share of the view that one press of a pan key moves. */
const PAN_STEP = 0.1;
const ZOOM_STEP = 0.7;

/** What the keys change. */
export interface KeyTargets {
  readonly viewport: Viewport;
  /** Of the capture, µs. */
  readonly duration: number;
  readonly cursor: Cursor;
  readonly selection: BlockSelection;
  readonly lanes: readonly Lane[];
  readonly onGates: () => void;
  readonly onLane: (lane: Lane, tall: boolean) => void;
  readonly onGroup: (replica: number) => void;
}

/** The timeline's keys. */
export function useTimelineKeys({ view, open }: ScreenProps, targets: KeyTargets): void {
  const { viewport, duration, cursor, selection, lanes } = targets;
  const zoom = (factor: number) => {
    const now = viewport.get();
    viewport.set(zoomAt(now, cursor.get() ?? (now[0] + now[1]) / 2, factor, duration));
  };
  const pan = (share: number) => viewport.set(panBy(viewport.get(), share, duration));
  const back = () => {
    if (selection.selectedRange) selection.selectRange(null);
    else if (view.block !== null) selection.select(null);
    else if (view.range !== null) viewport.set([0, duration]);
    else open("overview");
  };
  useKeys({
    zoomIn: () => zoom(ZOOM_STEP),
    zoomOut: () => zoom(1 / ZOOM_STEP),
    panLeft: () => pan(-PAN_STEP),
    panRight: () => pan(PAN_STEP),
    panLeftFar: () => pan(-10 * PAN_STEP),
    panRightFar: () => pan(10 * PAN_STEP),
    fit: selection.fit,
    all: () => viewport.set([0, duration]),
    nextSlow: () => selection.toSlow(1),
    previousSlow: () => selection.toSlow(-1),
    previousBlock: () => selection.inTime(-1),
    nextBlock: () => selection.inTime(1),
    gate: targets.onGates,
    lane: (event) => {
      const lane = lanes[Number(event.key) - 1];
      if (lane) targets.onLane(lane, !(view.lanes[lane.key] ?? lane.tall));
    },
    group: (event) => targets.onGroup(Number(event.code.slice("Digit".length)) - 1),
    open: () => (view.block === null ? undefined : open("sequence")),
    back,
  });
}
