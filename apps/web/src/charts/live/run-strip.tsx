import { type ReactNode, useCallback } from "react";
import { laneDefinition, laneFigure } from "@aglens/ag-model/lanes";
import { ChartCanvas, type Draw } from "../canvas.tsx";
import { hatch } from "../hatch.ts";
import { placeToken, type Place } from "../../lanes/palette.ts";
import { PlacedBars } from "../place-patterns.ts";
import { logHeight } from "../duration-scale.ts";
import type { LaneBins } from "./paint-live.ts";

/** The whole run at a glance: one column per pixel, as high as its slowest commit, coloured by where the time went. */
export function RunStrip({
  bins,
  now,
  view,
  gaps,
  marks,
  height,
  label,
}: {
  readonly bins: LaneBins | null;
  readonly now: number;
  /** What the lanes show: from, to (µs). */
  readonly view: readonly [number, number];
  readonly gaps: readonly (readonly [number, number])[];
  readonly marks: readonly { readonly at: number }[];
  readonly height: number;
  readonly label: string;
}): ReactNode {
  const draw = useCallback<Draw>(
    (context, width, boxHeight, tokens) => {
      const x = (at: number): number => (Math.max(0, Math.min(now, at)) / Math.max(1, now)) * width;
      context.fillStyle = tokens["--sunken"];
      context.fillRect(0, 0, width, boxHeight);
      for (const [from, to] of gaps)
        hatch(context, tokens, x(from), 0, Math.max(2, x(to) - x(from)), boxHeight);
      if (bins !== null) {
        const bars = new PlacedBars();
        for (const column of stripColumns(bins, now, Math.ceil(width))) {
          const top = Math.max(1.5, logHeight(column.us) * (boxHeight - 2));
          context.fillStyle = tokens[placeToken(column.place)];
          context.fillRect(column.x, boxHeight - top, 1, top);
          bars.add(column.place, column.x, boxHeight - top, 1, top);
        }
        bars.cut(context, tokens, width, boxHeight);
      }
      context.fillStyle = tokens["--ink"];
      for (const mark of marks) context.fillRect(Math.round(x(mark.at)), 0, 1, boxHeight);
      const left = Math.min(Math.round(x(view[0])), width - 6);
      const right = Math.max(Math.round(x(view[1])), left + 6);
      context.strokeStyle = tokens["--ink"];
      context.lineWidth = 1.5;
      context.strokeRect(left + 0.75, 0.75, Math.max(4, right - left - 1.5), boxHeight - 1.5);
    },
    [bins, now, view, gaps, marks],
  );
  return (
    <ChartCanvas draw={draw} style={{ height }}>
      <p className="sr-only">{label}</p>
    </ChartCanvas>
  );
}

interface StripColumn {
  readonly x: number;
  readonly us: number;
  readonly place: Place;
}

/** Slowest commit (else remote harden) of each pixel and the place with the largest median part in that bin. */
export function stripColumns(bins: LaneBins, now: number, width: number): StripColumn[] {
  const columns = new Map<number, StripColumn>();
  const slowest = bins.max.get("commit");
  const hardens = [...bins.max].filter(([key]) => key.endsWith(".remoteHarden")).map(([, values]) => values);
  for (let i = 0; i < bins.length; i++) {
    const whole = [slowest, ...hardens]
      .map((values) => values?.[i] ?? Number.NaN)
      .filter((v) => !Number.isNaN(v));
    if (whole.length === 0) continue;
    const us = Math.max(...whole);
    const from = Math.floor(((bins.firstBin + i) * bins.width * width) / Math.max(1, now));
    const to = Math.ceil(((bins.firstBin + i + 1) * bins.width * width) / Math.max(1, now));
    const place = placeAt(bins, i);
    for (let x = Math.max(0, from); x < Math.min(width, to); x++)
      if (us > (columns.get(x)?.us ?? -1)) columns.set(x, { x, us, place });
  }
  return [...columns.values()];
}

/** The place with the largest part of a bin's median block. */
function placeAt(bins: LaneBins, i: number): Place {
  let found: Place = "none";
  let most = 0;
  const sums = new Map<string, number>();
  for (const [key, values] of bins.p50) {
    const us = values[i];
    const place = stripPlace(key);
    if (place === null || Number.isNaN(us)) continue;
    // Where the secondary was read, its path is known in parts; elsewhere it is one part of no known place.
    if (place === "none" && !Number.isNaN(bins.p50.get(key.replace("unseen", "wireOut"))?.[i] ?? Number.NaN))
      continue;
    // Both directions of one secondary's network are one part.
    const part = `${place} ${key.split(".")[0]}`;
    const sum = (sums.get(part) ?? 0) + us;
    sums.set(part, sum);
    if (sum > most) [most, found] = [sum, place];
  }
  return found;
}

/** Place of what a key's bins measure; null for what is no part of a block's path. */
function stripPlace(key: string): Place | null {
  const figure = laneFigure(key);
  if (figure === null || figure === "commit") return null;
  const { place } = laneDefinition(figure);
  return place === "unknown" ? "none" : place;
}
