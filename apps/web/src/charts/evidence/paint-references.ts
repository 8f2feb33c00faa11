/** Draws the results of Diskspd into the lanes of log writes: a dashed line at p50, shaded up to p99. */
import { durationText } from "../../ui/words.ts";
import { happenedTexts as texts } from "../../messages/happened.ts";
import { logHeight } from "../duration-scale.ts";
import { clipped } from "../time-scale.ts";
import type { Scene } from "../timeline/scene.ts";

/** Result of a disk whose volume has the log of a server. */
export interface Reference {
  /** Times in which the server had the role of a lane, µs, with the key of the lane's figure and its secondary. */
  readonly places: readonly ReferencePlace[];
  readonly volume: string;
  /** In µs. */
  readonly p50: number;
  /** In µs; null where the result doesn't have it. */
  readonly p99: number | null;
}

interface ReferencePlace {
  readonly figure: "localFlush" | "secondaryFlush";
  /** Slot of the secondary; -1 for the primary. */
  readonly secondary: number;
  readonly from: number;
  readonly to: number;
}

type Drawn = Pick<Scene, "boxes" | "scale" | "tokens" | "level">;

const DASH = [4, 3];
const LABEL_PX = 15;
/** Minimum height of a lane for the figures, px. */
const LEAST_LANE_PX = 45;

/** Only where the height of a lane is a duration. */
export function paintReferences(
  context: CanvasRenderingContext2D,
  { boxes, scale, tokens, level }: Drawn,
  references: readonly Reference[],
): void {
  if (level >= 2) return;
  for (const { places, volume, p50, p99 } of references)
    for (const { figure, secondary, from, to } of places)
      for (const { lane, tall, top, height } of boxes) {
        const part = clipped(scale, from, to);
        if (!tall || part === null || lane.figure !== figure || lane.secondary !== secondary) continue;
        const yOf = (us: number): number => Math.round(top + height * (1 - logHeight(us)));
        const [left, width] = part;
        const y = yOf(p50);
        context.fillStyle = tokens["--ink"];
        if (p99 !== null) {
          context.globalAlpha = 0.12;
          context.fillRect(left, yOf(p99), width, y - yOf(p99));
          context.globalAlpha = 1;
        }
        context.strokeStyle = tokens["--ink"];
        context.lineWidth = 1;
        context.setLineDash(DASH);
        context.beginPath();
        context.moveTo(left, y + 0.5);
        context.lineTo(left + width, y + 0.5);
        context.stroke();
        context.setLineDash([]);
        const label = texts.reference(volume, durationText(p50), p99 === null ? null : durationText(p99));
        context.font = `400 11px ${tokens["--font"]}`;
        const room = context.measureText(label).width + 8;
        if (room > width || height < LEAST_LANE_PX) continue;
        context.fillStyle = tokens["--surface"];
        context.fillRect(left + width - room, top, room, LABEL_PX);
        context.fillStyle = tokens["--ink"];
        context.fillText(label, left + width - room + 4, top + 11);
      }
}
