/** Draws the lanes "What happened" of a run under its lanes: the same drawing as on the timeline, up to "now". */
import { paintEvidence } from "../evidence/paint-evidence.ts";
import type { EvidenceStack } from "../evidence/stack.ts";
import type { Tokens } from "../../lanes/palette.ts";
import { edges, type LiveView, nowX, xAt } from "./live-scale.ts";

interface Scene {
  readonly view: LiveView;
  readonly tokens: Tokens;
  /** Height of all lanes, px. */
  readonly height: number;
  readonly ticks: readonly { readonly at: number }[];
}

export interface HappenedBox {
  /** px, under all lanes. */
  readonly top: number;
  readonly stack: EvidenceStack;
  /** Times of the causes of failovers and of new primaries, µs of the run. */
  readonly rules: readonly number[];
}

/** States are not known before the run, nor after "now". */
export function paintHappened(
  context: CanvasRenderingContext2D,
  scene: Scene,
  { top, stack, rules }: HappenedBox,
): void {
  const { view, tokens, ticks } = scene;
  const width = nowX(view);
  const [from] = edges(view);
  const begin = Math.max(0, Math.round(xAt(view, 0)));
  if (begin >= width) return;
  context.save();
  context.beginPath();
  context.rect(begin, 0, width - begin, scene.height);
  context.clip();
  context.translate(0, top);
  paintEvidence(context, {
    stack,
    above: top,
    scale: { from, to: view.now, width },
    tokens,
    ticks: ticks.map(({ at }) => xAt(view, at)),
    rules,
    selected: null,
    steps: new Map(),
  });
  context.restore();
}
