/** A block from commit to commit on its own time axis: primary, network, secondary. */
import type { Sequence } from "@aglens/contract";
import { scaleLinear } from "d3-scale";
import { durationLabel } from "../../../charts/axis.ts";
import { type HopAnchors, isKnown } from "../../../charts/sequence/frame.ts";
import { pictureRange, toScale } from "../../../charts/sequence/layout.ts";
import type { ReplicaNames, Tokens } from "../../../lanes/palette.ts";
import { reportTexts as texts } from "../../../messages/report.ts";
import { durationText } from "../../../ui/words.ts";
import { PICTURE_PX } from "./overview-drawings.ts";
import type { Drawing } from "./svg-picture.tsx";

const LEFT_PX = 110;
const RIGHT_PX = 14;
const HEIGHT_PX = 118;
/** Top and height of each row, px. */
const ROWS = {
  commits: [4, 9],
  flush: [14, 11],
  handling: [26, 4],
  network: [31, 30],
  secondary: [63, 16],
} as const;
const AXIS_BASE = 100;
/** Width that a label inside a bar needs, px per letter of 10.5 px. */
const LETTER_PX = 6;

interface Given {
  readonly sequence: Sequence;
  readonly secondary: number;
  readonly names: ReplicaNames;
}

/** One block towards one secondary. */
export function sequenceDrawing({ sequence, secondary, names }: Given): Drawing {
  const hop = sequence.hops.find((each) => each.secondary === secondary);
  const range = pictureRange(sequence, hop);
  const x = toScale(range, LEFT_PX, PICTURE_PX - RIGHT_PX);
  const at: HopAnchors = hop?.anchors ?? {};
  const label = `${sequence.lsn}: ${(hop?.stages ?? [])
    .filter(({ duration }) => isKnown(duration))
    .map((stage) => `${stage.id} ${durationText(stage.duration)}`)
    .join(", ")}.`;
  return {
    width: PICTURE_PX,
    height: HEIGHT_PX,
    label,
    draw: (context, tokens) => {
      const pen = { context, tokens, x };
      ground(pen, names);
      axis(pen, range);
      commits(pen, sequence);
      bar(
        pen,
        "flush",
        [sequence.local.localFlushStart, sequence.local.localFlushEnd],
        "--p-disk",
        texts.logWrite(names.primary),
      );
      bar(pen, "handling", [at.sendStart, at.sendEnd], "--p-work", "");
      bar(pen, "handling", [at.ackReceived, at.ackProcessed], "--p-work", "");
      leg(pen, at.departed, at.received, "out", tokens["--n-out"]);
      leg(pen, at.ackDeparted, at.ackReceived, "back", tokens["--n-back"]);
      bar(pen, "secondary", [at.received, at.secondaryFlushStart], "--s-work", "");
      bar(
        pen,
        "secondary",
        [at.secondaryFlushStart, at.secondaryFlushEnd],
        "--s-disk",
        texts.logWrite(names.secondary),
      );
      bar(pen, "secondary", [at.secondaryFlushEnd, at.ackDeparted], "--s-work", "");
    },
  };
}

interface Pen {
  readonly context: CanvasRenderingContext2D;
  readonly tokens: Tokens;
  readonly x: (instant: number) => number;
}
type Instant = number | null | undefined;

function ground({ context, tokens }: Pen, { primary, secondary }: ReplicaNames): void {
  const rows = [
    [0, 31, "--p-tint", "--p-ink", primary, 22],
    [31, 30, "--surface", "--n-ink", "Network", 50],
    [61, 22, "--s-tint", "--s-ink", secondary, 75],
  ] as const;
  for (const [top, height, tint, ink, words, base] of rows) {
    context.fillStyle = tokens[tint];
    context.fillRect(LEFT_PX - 2, top, PICTURE_PX - LEFT_PX + 2, height);
    context.font = `600 11px ${tokens["--font"]}`;
    context.fillStyle = tokens[ink];
    context.fillText(words, 0, base);
  }
}

function axis({ context, tokens, x }: Pen, [from, to]: readonly [number, number]): void {
  context.font = `400 10.5px ${tokens["--font"]}`;
  context.textAlign = "center";
  for (const tick of scaleLinear()
    .domain([0, to - from])
    .ticks(7)) {
    context.fillStyle = tokens["--grid"];
    context.fillRect(Math.round(x(from + tick)), 0, 1, 84);
    context.fillStyle = tokens["--ink-2"];
    context.fillText(tick === 0 ? "0" : durationLabel(tick), x(from + tick), AXIS_BASE);
  }
  context.textAlign = "left";
}

function commits({ context, tokens, x }: Pen, { commits: all }: Sequence): void {
  if (all.length === 0) return;
  const [top, height] = ROWS.commits;
  const start = Math.min(...all.map((commit) => commit.start));
  const end = Math.max(...all.map((commit) => commit.end));
  const longest = Math.max(...all.map((commit) => commit.end - commit.start));
  context.fillStyle = tokens["--wait-soft"];
  context.fillRect(x(start), top, Math.max(1, x(end) - x(start)), height);
  const words = `${all.length === 1 ? texts.commitWaits : texts.commitsWaitUpTo(all.length)} ${durationText(longest)}`;
  context.font = `400 10px ${tokens["--font"]}`;
  context.fillStyle = tokens["--ink-2"];
  context.textAlign = "right";
  context.fillText(words, Math.max(x(end) - 4, LEFT_PX + words.length * LETTER_PX), top + height - 1);
  context.textAlign = "left";
}

function bar(
  { context, tokens, x }: Pen,
  row: "flush" | "handling" | "secondary",
  [from, to]: readonly [from: Instant, to: Instant],
  color: "--p-disk" | "--p-work" | "--s-disk" | "--s-work",
  name: string,
): void {
  if (!isKnown(from) || !isKnown(to) || to < from) return;
  const [top, height] = ROWS[row];
  const [left, width] = [x(from), Math.max(1, x(to) - x(from))];
  context.fillStyle = tokens[color];
  context.fillRect(left, top, width, height);
  if (name === "") return;
  const words = `${name} ${durationText(to - from)}`;
  const room = words.length * LETTER_PX + 12;
  const isInside = width > room;
  context.font = `${isInside ? 600 : 400} 10.5px ${tokens["--font"]}`;
  context.fillStyle = tokens[isInside ? "--on-strong" : "--ink-2"];
  const beside = left + width + 6;
  const place = isInside ? left + 6 : beside + room > PICTURE_PX ? left - room + 6 : beside;
  context.fillText(words, place, top + height / 2 + 4);
}

/** A path over the network, whose slope is its speed; the clock's error moves its lower end. */
function leg(
  { context, tokens, x }: Pen,
  from: Instant,
  to: Instant,
  which: "out" | "back",
  color: string,
): void {
  if (!isKnown(from) || !isKnown(to)) return;
  const [top, height] = ROWS.network;
  const [upper, lower] = which === "out" ? [x(from), x(to)] : [x(to), x(from)];
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(upper, top);
  context.lineTo(lower, top + height);
  context.stroke();
  const words = `${durationText(to - from)} ${which}`;
  context.font = `600 10.5px ${tokens["--font"]}`;
  context.fillStyle = tokens["--n-ink"];
  const room = words.length * LETTER_PX;
  const middle = (upper + lower) / 2;
  const place = which === "out" ? middle + 8 : middle - room - 8;
  const left = Math.min(PICTURE_PX - room, Math.max(LEFT_PX, place));
  const base = top + height / 2 + 4;
  // A flat leg would cross its own label.
  context.strokeStyle = tokens["--surface"];
  context.lineWidth = 4;
  context.lineJoin = "round";
  context.strokeText(words, left, base);
  context.fillText(words, left, base);
}
