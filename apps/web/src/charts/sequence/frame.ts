/** Layout that every part of the picture shares: positions in CSS pixels and in time. */
import type { ReactNode } from "react";
import type { Sequence } from "@aglens/contract";
import type { Position } from "./layout.ts";

export const PICTURE_HEIGHT = 476;
export const LEFT = 152;
export const RIGHT = 34;
export const NETWORK_TOP = 216;
export const NETWORK_BOTTOM = 300;
/** Height that a low window saves at the top, where the headline and lenses have their place. */
export const LOW_TOP = 112;
/** Top of each bar; `axis` is the baseline of its labels. */
export const BAR = { commits: 144, flush: 166, handling: 190, secondary: 304, axis: 336, lens: 350 } as const;

type Hop = Sequence["hops"][number];

/** Instants of a hop, µs; undefined for a hop that does not exist. */
export type HopAnchors = Partial<Hop["anchors"]>;

export interface PictureProps {
  readonly sequence: Sequence;
  readonly secondary: number;
  readonly names: { readonly primary: string; readonly secondary: string };
  /** Whether a file of the secondary contains this block; otherwise its network and its disk appear as one bar. */
  readonly secondaryHolds: boolean;
  /** Why it does not: "no file of SQL2 in this capture". */
  readonly missing: string;
  /** No commit waits for this secondary: its part is cut at 45 degrees. */
  readonly asynchronous: boolean;
  readonly uncertaintyUs: number | null;
  readonly even: boolean;
  /** False where there is no room for lenses next to each other; LensList then follows the picture. */
  readonly lenses: boolean;
  readonly width: number;
  /** Headline block drawn in the free middle of the primary's band; null in a low window, where it follows the picture. */
  readonly headline: ReactNode;
}

export interface Frame extends PictureProps {
  readonly hop: Hop | undefined;
  readonly x: Position;
  readonly range: readonly [number, number];
}

/** Whether an instant or a duration is known. */
export const isKnown = (value: number | null | undefined): value is number =>
  value !== null && value !== undefined;
