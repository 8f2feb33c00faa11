/** The part of a live picture that the model computes. */
import type { LivePicture } from "@aglens/contract";
import type { LiveModelPicture } from "@aglens/ag-model/live";

type ModelPart = Pick<
  LivePicture,
  | "lanes"
  | "decodedTo"
  | "bins"
  | "overview"
  | "figures"
  | "shares"
  | "readouts"
  | "verdict"
  | "clocks"
  | "blocksPerSecond"
  | "commitsPerSecond"
>;

/** What the model computed; NaN becomes null where it is written as JSON. */
export function modelPart(model: LiveModelPicture | null, replicas: number): ModelPart {
  if (model === null) {
    return {
      lanes: [],
      decodedTo: Array.from({ length: replicas }, () => null),
      bins: null,
      overview: null,
      figures: {},
      shares: [],
      readouts: [],
      verdict: null,
      clocks: [],
      blocksPerSecond: null,
      commitsPerSecond: null,
    };
  }
  const { originTicks: _origin, now: _now, lanes, ...rest } = model;
  return { ...rest, lanes: [...lanes] };
}
