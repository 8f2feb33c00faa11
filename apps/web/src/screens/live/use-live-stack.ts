import { useMemo, useState } from "react";
import { happenedLanes } from "../../charts/evidence/happened-lanes.ts";
import { type EvidenceStack, stackEvidence } from "../../charts/evidence/stack.ts";
import type { HappenedBox } from "../../charts/live/paint-happened.ts";
import { forcedTokens } from "../../charts/timeline/forced-colors.ts";
import { type LaneBox, stackLanes } from "../../charts/timeline/heights.ts";
import type { Lane } from "../../lanes/lanes.ts";
import { useTokens } from "../../lanes/palette.ts";
import { useKeys } from "../../ui/keys.ts";
import { useMedia } from "../../ui/use-media.ts";
import { gaugesOf, scaleTop } from "./gauges.ts";
import { laneEnds } from "./lane-times.ts";
import { drawnLanes, gapsOf, remarksOf } from "./lane-remarks.ts";
import type { PlacedGauge } from "./live-gutter.tsx";
import type { PlotScene } from "./live-plot.tsx";
import type { LiveRun } from "./live-run-context.ts";
import { binsByRow, marksOf, platesOf } from "./phase-lanes.ts";
import { KEPT_US, type LiveState } from "./picture.ts";
import { WINDOW_US } from "./use-held-view.ts";

const GAUGE_PX = 25;
const GAUGE_GAP_PX = 3;
/** Above the counters: their heading, with polls that were missed. */
const RULE_PX = 24;
const AXIS_PX = 36;
const STRIP_ROW_PX = 43;

export interface LiveStack {
  readonly boxes: readonly LaneBox[];
  /** Height of the lanes, px; the servers' events and the gauges are under them. */
  readonly height: number;
  readonly gauges: readonly PlacedGauge[];
  /** Lanes of the servers' events; null without any. */
  readonly happened: HappenedBox | null;
  readonly scene: PlotScene;
  readonly setLane: (lane: Lane, tall: boolean) => void;
}

/** Where each lane and gauge of the newest picture is in `available` px, and what is drawn there. */
export function useLiveStack(
  state: LiveState,
  available: number,
  gaugeChoice: LiveRun["gaugeChoice"],
): LiveStack {
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const lanes = useMemo(() => drawnLanes(state), [state]);
  const gauges = useMemo(
    () => gaugesOf(state).filter(({ key, isUsual }) => gaugeChoice[key] ?? isUsual),
    [state, gaugeChoice],
  );
  const gaugesPx = gauges.length === 0 ? 0 : RULE_PX + gauges.length * (GAUGE_PX + GAUGE_GAP_PX);
  const events = useMemo(() => stackOfEvents(state, available), [state, available]);
  const eventsPx = events?.height ?? 0;
  const { boxes, height } = useMemo(
    () => stackLanes(lanes, chosen, 0, available - AXIS_PX - STRIP_ROW_PX - gaugesPx - eventsPx),
    [lanes, chosen, available, gaugesPx, eventsPx],
  );
  const happened = useMemo(
    () =>
      events && {
        top: height,
        stack: events,
        rules: state.failovers.flatMap(({ at, until }) => (until === null ? [at] : [at, until])),
      },
    [events, height, state.failovers],
  );
  const placed = useMemo(
    () =>
      gauges.map((gauge, i): PlacedGauge => ({
        gauge,
        top: height + eventsPx + RULE_PX - GAUGE_GAP_PX + i * (GAUGE_PX + GAUGE_GAP_PX),
        height: GAUGE_PX,
        scale: scaleTop(gauge.steps, state.now - WINDOW_US, state.now),
      })),
    [gauges, height, eventsPx, state.now],
  );
  const setLane = (lane: Lane, tall: boolean): void => setChosen((now) => ({ ...now, [lane.key]: tall }));
  useKeys({
    lane: (event) => {
      const box = boxes[Number(event.key) - 1];
      if (box) setLane(box.lane, !box.tall);
    },
  });
  const all = height + gaugesPx + eventsPx;
  const scene = useScene(state, { lanes, boxes, height: all, gauges: placed, happened });
  return { boxes, height, gauges: placed, happened, scene, setLane };
}

/** Lanes of the servers' events, as long as the page has them: lanes don't jump while events move out of view. */
function stackOfEvents({ happened, failovers, now }: LiveState, available: number): EvidenceStack | null {
  const lanes = happenedLanes({ events: happened, failovers });
  if (lanes.length === 0) return null;
  return stackEvidence(lanes, [now - KEPT_US, now], { showsAll: false, room: available, head: 0 });
}

interface Placed extends Pick<LiveStack, "boxes" | "height" | "gauges" | "happened"> {
  readonly lanes: readonly Lane[];
}

/** The drawing of the newest picture, whatever time the view shows. */
function useScene(state: LiveState, { lanes, boxes, height, gauges, happened }: Placed): PlotScene {
  const forced = useMedia("(forced-colors: active)");
  const read = useTokens();
  const tokens = useMemo(() => (forced ? forcedTokens(read) : read), [forced, read]);
  return useMemo(
    () => ({
      tokens,
      patterns: forced,
      boxes,
      height,
      bins: binsByRow(state.bins, state.lanes, state.phases),
      plates: platesOf(state.lanes, state.phases),
      gauges: gauges.map(({ gauge, ...box }) => ({
        ...box,
        color: gauge.color,
        steps: gauge.steps,
        missed: gauge.missed,
      })),
      happened,
      ends: laneEnds(state.lanes, state.replicas, state.decodedTo),
      remarks: remarksOf(lanes, state),
      gaps: gapsOf(lanes, state),
      marks: marksOf(state),
    }),
    [tokens, forced, boxes, height, state, gauges, happened, lanes],
  );
}
