/** Draws the tracks of the lane "Released by", right under the commits. */
import { NOT_ISOLATED } from "./paint-isolation.ts";
import { TRACK_PITCH_PX, TRACK_PX, type ReleaseCandidate } from "./release-tracks.ts";
import { released, type Context, type Scene } from "./scene.ts";

/** @param top of the first track, px @param tracks strength 0..1 per pixel, by candidate */
export function paintReleases(
  context: Context,
  scene: Pick<Scene, "tokens" | "scale" | "ticks" | "idle" | "isolated">,
  top: number,
  candidates: readonly ReleaseCandidate[],
  tracks: readonly Float32Array[],
): void {
  context.save();
  for (const [i, { gate }] of candidates.entries()) {
    const y = top + i * TRACK_PITCH_PX;
    context.globalAlpha = 1;
    context.fillStyle = scene.tokens[scene.idle ? "--idle" : "--surface"];
    context.fillRect(0, y, scene.scale.width, TRACK_PX);
    context.fillStyle = scene.tokens["--grid"];
    for (const x of scene.ticks) context.fillRect(Math.round(x), y, 1, TRACK_PX);
    context.fillStyle = scene.tokens[released(gate)];
    const strength = scene.isolated.length > 0 ? NOT_ISOLATED : 1;
    if (tracks[i] !== undefined) paintTrack(context, tracks[i], y, strength);
  }
  context.restore();
}

/** One rectangle per run of pixels of the same strength. */
function paintTrack(context: Context, track: Float32Array, y: number, strength: number): void {
  let x = 0;
  while (x < track.length) {
    let end = x + 1;
    while (end < track.length && track[end] === track[x]) end++;
    if (track[x] > 0) {
      context.globalAlpha = track[x] * strength;
      context.fillRect(x, y, end - x, TRACK_PX);
    }
    x = end;
  }
}
