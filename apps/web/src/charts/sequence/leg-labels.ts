/** Positions of the network's labels such that no line crosses them: pure geometry in CSS pixels. */
import { NETWORK_BOTTOM, NETWORK_TOP } from "./frame.ts";

/** Where a text begins or ends. */
export interface LabelPlace {
  readonly x: number;
  /** Baseline of its first line. */
  readonly y: number;
  readonly anchor: "start" | "middle" | "end";
}

/** Horizontal ends of one way over the network, px. */
export interface Leg {
  readonly from: number;
  readonly to: number;
}

/** Width of the longest note ("network back, ±0.24 ms"), px. */
const NOTE = 150;
const ROUND_TRIP = 150;
/** From this width on a label is above the middle of its slope, otherwise next to it. */
const WIDE = 120;
const OVER = NETWORK_TOP + 18;
const BESIDE = NETWORK_TOP + 38;
/** Two labels of two lines each, one under the other and both above the round trip. */
const UPPER = NETWORK_TOP + 12;
const LOWER = NETWORK_TOP + 43;
const FOOT = NETWORK_BOTTOM - 8;

const span = ({ x, anchor }: LabelPlace): [number, number] =>
  anchor === "end" ? [x - NOTE, x] : [x, x + NOTE];

function overlap(a: LabelPlace, b: LabelPlace): boolean {
  const [aFrom, aTo] = span(a);
  const [bFrom, bTo] = span(b);
  return aFrom < bTo && bFrom < aTo;
}

/** The label of the way out is right of its falling line, that of the way back left of its rising one. */
export function placeLegLabels(
  out: Leg | null,
  back: Leg | null,
  left: number,
  right: number,
): { out: LabelPlace | null; back: LabelPlace | null } {
  let first = out && outLabel(out, right);
  let second = back && backLabel(back, left);
  if (out && back && first && second && overlap(first, second)) {
    // Not enough room between the slopes: each label goes to its own outer side, as far as the picture reaches.
    if (back.to + 14 + NOTE <= right) second = { x: back.to + 14, y: BESIDE, anchor: "start" };
    else if (out.from - 14 - NOTE >= left) first = { x: out.from - 14, y: BESIDE, anchor: "end" };
    if (overlap(first, second)) {
      // Two steep slopes at an end of the picture have room only on one side: their labels go there, one below the
      // other.
      first = { ...(second.anchor === "start" ? second : { x: out.from - 14, anchor: "end" }), y: UPPER };
      second = { ...first, y: LOWER };
    }
  }
  return { out: first, back: second };
}

function outLabel({ from, to }: Leg, right: number): LabelPlace {
  if (to - from >= WIDE) return { x: (from + to) / 2 + 8, y: OVER, anchor: "start" };
  if (to + 14 + NOTE <= right) return { x: to + 14, y: BESIDE, anchor: "start" };
  return { x: from - 14, y: BESIDE, anchor: "end" };
}

function backLabel({ from, to }: Leg, left: number): LabelPlace {
  if (to - from >= WIDE) return { x: (from + to) / 2 - 8, y: OVER, anchor: "end" };
  if (from - 14 - NOTE >= left) return { x: from - 14, y: BESIDE, anchor: "end" };
  return { x: to + 14, y: BESIDE, anchor: "start" };
}

/** Height of the falling line at `x`; the foot right of it. */
function fallingAt({ from, to }: Leg, x: number): number {
  const share = Math.min(1, Math.max(0, (x - from) / Math.max(1, to - from)));
  return NETWORK_TOP - 6 + share * (NETWORK_BOTTOM - NETWORK_TOP + 6);
}

/** Between the two feet, raised above the lines where they are near; outside when the slopes are too steep for that. */
export function placeRoundTrip(out: Leg, back: Leg, left: number, right: number): LabelPlace {
  const center = (out.to + back.from) / 2;
  const half = ROUND_TRIP / 2;
  const mirrored: Leg = { from: -back.to, to: -back.from };
  const y = Math.min(FOOT, fallingAt(out, center - half) - 6, fallingAt(mirrored, -(center + half)) - 6);
  const inside = center - half >= left && center + half <= right;
  if (inside && y >= OVER + 30) return { x: center, y, anchor: "middle" };
  if (back.to + 14 + ROUND_TRIP <= right) return { x: back.to + 14, y: FOOT, anchor: "start" };
  return { x: out.from - 14, y: FOOT, anchor: "end" };
}
