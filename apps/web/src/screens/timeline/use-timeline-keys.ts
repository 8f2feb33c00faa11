import { type KeyBindings, useKeptKeys, useKeys } from "../../ui/keys.ts";
import { hasTab, isAlone, useCapture } from "../capture-view/capture-context.ts";
import { useTimelineData, useTimelineSelection, useTimelineView } from "./timeline-context.ts";
import { useLaneChoice } from "./lanes/use-lane-choice.ts";
import { firstView } from "@aglens/contract";
import { nextSwitch } from "../capture-view/phases.ts";
import { outagesOf } from "./happened/shown-switches.ts";
import { clampRange, panBy, zoomAt, type Range } from "./viewport.ts";

/** Share of the view that one press of a pan key moves. */
const PAN_STEP = 0.1;
const ZOOM_STEP = 0.7;

/**
 * A role change takes at most this share of the view, and the view around it shows at most this share of the capture.
 */
const SWITCH_SHARE = 0.5;

/** A range with the role change in the middle, as long as the previous view where that shows both sides. */
function rangeAround([from, to]: Range, span: number, duration: number): Range {
  const least = (to - from) / SWITCH_SHARE;
  const next = Math.max(least, Math.min(span, duration * SWITCH_SHARE));
  const middle = (from + to) / 2;
  return clampRange([middle - next / 2, middle + next / 2], duration);
}

/** Precision of a view's instants, µs. */
const SAME_US = 1;

/**
 * The role change after the one that the view was moved to, else after the view's middle; after the last one the first.
 * Near the ends of the capture a change cannot be in the middle, so the middle alone would find the same one again.
 */
function switchAfter(switches: readonly Range[], [from, to]: Range, duration: number): Range | null {
  const shown = switches.findLastIndex((each) => {
    const [start, end] = rangeAround(each, to - from, duration);
    return Math.abs(start - from) < SAME_US && Math.abs(end - to) < SAME_US;
  });
  if (shown >= 0) return switches[(shown + 1) % switches.length] ?? null;
  const ahead = switches.map((range) => ({ from: range[0], range }));
  return nextSwitch(ahead, (from + to) / 2)?.range ?? null;
}

/** The timeline's keys. */
export function useTimelineKeys(): void {
  const { summary, view, setView, open } = useCapture();
  const { lanes, switches: changes, happened } = useTimelineData();
  const { viewport, duration, cursor } = useTimelineView();
  const { selection, events, hits, rulers, beginNote } = useTimelineSelection();
  const switches = outagesOf(changes, happened, summary);
  const { setLane, toggleGroup, openReleasing } = useLaneChoice();
  const zoom = (factor: number) => {
    const now = viewport.get();
    viewport.set(zoomAt(now, cursor.get() ?? (now[0] + now[1]) / 2, factor, duration));
  };
  const pan = (share: number) => viewport.set(panBy(viewport.get(), share, duration));
  const toNextSwitch = () => {
    const [from, to] = viewport.get();
    const next = switchAfter(switches, [from, to], duration);
    if (next !== null) viewport.set(rangeAround(next, to - from, duration));
  };
  const back = () => {
    if (rulers.back()) return;
    if (selection.selectedRange) selection.selectRange(null);
    else if (view.block !== null) selection.select(null);
    else if (events.selected !== null) events.select(null);
    else if (view.where !== null) setView({ where: null });
    else if (view.isolated.length > 0) setView({ isolated: [] });
    else if (view.range !== null) viewport.set(firstView(summary));
    else if (hasTab(isAlone(summary), "overview")) open("overview");
  };
  // While a block is being searched, the next keys refer to that block, so they wait for it.
  const { isAsking } = selection.search;
  useKeptKeys(isAsking);
  const alongSlow: KeyBindings = {
    fit: selection.fit,
    nextSlow: () => selection.toSlow(1),
    previousSlow: () => selection.toSlow(-1),
  };
  const alongHits: KeyBindings = {
    fit: hits.fit,
    nextSlow: () => hits.step(1),
    previousSlow: () => hits.step(-1),
  };
  const alongEvents: KeyBindings = {
    fit: selection.fit,
    nextHappened: () => events.step(1),
    previousHappened: () => events.step(-1),
  };
  const isAlongEvents = events.isActive && (happened?.inTurn.length ?? 0) > 0;
  const alongBlocks: KeyBindings = {
    ...(isAlongEvents ? alongEvents : view.where === null ? alongSlow : alongHits),
    previousBlock: () => selection.inTime(-1),
    nextBlock: () => selection.inTime(1),
    ...(isAlongEvents && events.selected !== null
      ? { openSource: () => events.showSource(true) }
      : { open: () => (view.block === null ? undefined : open("sequence")) }),
    keepBlock: selection.keep,
    note: beginNote,
  };
  useKeys({
    ...(isAsking ? {} : alongBlocks),
    zoomIn: () => zoom(ZOOM_STEP),
    zoomOut: () => zoom(1 / ZOOM_STEP),
    panLeft: () => pan(-PAN_STEP),
    panRight: () => pan(PAN_STEP),
    panLeftFar: () => pan(-10 * PAN_STEP),
    panRightFar: () => pan(10 * PAN_STEP),
    all: () => viewport.set([0, duration]),
    gate: () => setView({ gates: !view.gates }, "replace"),
    lane: (event) => {
      const lane = lanes.shown[Number(event.key) - 1];
      if (lane) setLane(lane, !(view.lanes[lane.key] ?? lane.tall));
    },
    group: (event) => toggleGroup(Number(event.code.slice("Digit".length)) - 1),
    openReleasing,
    ...(happened === null
      ? {}
      : {
          happenedLanes: () =>
            setView({ evidence: happened.shown.length > 0 ? [] : null, happened: null }, "replace"),
        }),
    ...(switches.length === 0 ? {} : { nextSwitch: toNextSwitch }),
    back,
  });
}
