/** Second channels of a bar's color: cuts for asynchronous replicas and for forced colors, edges for high contrast. */
import type { TokenName } from "../../lanes/palette.ts";
import type { LaneBox } from "./heights.ts";
import type { Lane } from "../../lanes/lanes.ts";
import type { Context, Rect, Scene } from "./scene.ts";

const CUT_STEP_PX = 6;
const DOT_STEP_PX = 4;

/**
 * Pattern over a lane's bars: 45 degree lines for an asynchronous secondary, a pattern per place where colors are
 * forced.
 */
export function cutOf(lane: Lane, patterns: boolean): "diagonal" | "dots" | null {
  if (patterns && lane.place === "network") return "dots";
  if (patterns && lane.place === "secondary") return "diagonal";
  return lane.asynchronous && lane.place !== "primary" ? "diagonal" : null;
}

/** Cuts are drawn in the ground's color over the entire lane: they show on bars only. */
export function paintCuts(
  context: Context,
  scene: Pick<Scene, "tokens" | "patterns"> & { readonly scale: Pick<Scene["scale"], "width"> },
  box: LaneBox,
): void {
  const cut = cutOf(box.lane, scene.patterns);
  if (cut === null) return;
  context.globalAlpha = 1;
  paintCut(context, scene.tokens["--surface"], cut, { ...box, width: scene.scale.width });
}

/** Dots or 45 degree lines over a box, in one color. */
export function paintCut(
  context: Context,
  color: string,
  cut: "diagonal" | "dots",
  box: { readonly top: number; readonly width: number; readonly height: number },
): void {
  const bottom = box.top + box.height;
  if (cut === "dots") {
    context.fillStyle = color;
    for (let y = box.top + 1; y < bottom; y += DOT_STEP_PX)
      for (let x = 1; x < box.width; x += DOT_STEP_PX) context.fillRect(x, y, 1.5, 1.5);
    return;
  }
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  for (let x = -box.height; x < box.width; x += CUT_STEP_PX) {
    context.moveTo(x, bottom);
    context.lineTo(x + box.height, box.top);
  }
  context.stroke();
}

const STRONG: Readonly<Partial<Record<TokenName, TokenName>>> = {
  "--p-work": "--p-disk",
  "--n-back": "--n-out",
  "--s-work": "--s-disk",
};

/** In high contrast a bar of a soft color has an edge in the strong color of its place (docs/contribute/design.md 6). */
export function paintEdge(context: Context, scene: Scene, { color }: Lane, rect: Rect): void {
  const strong = STRONG[color];
  if (!scene.edges || !strong) return;
  context.strokeStyle = scene.tokens[strong];
  context.lineWidth = 1;
  context.strokeRect(rect.x + 0.5, rect.y + 0.5, Math.max(0, rect.width - 1), Math.max(0, rect.height - 1));
}
