/** The part of a live picture that the model computes. */
import type { LivePicture } from "@aglens/contract";
import type { LiveModelPicture } from "@aglens/ag-model/live";

type ModelPart = Pick<
  LivePicture,
  | "lanes"
  | "phases"
  | "decodedTo"
  | "bins"
  | "overview"
  | "figures"
  | "shares"
  | "readouts"
  | "verdict"
  | "judged"
  | "clocks"
  | "blocksPerSecond"
  | "commitsPerSecond"
>;

/** What the model computed; NaN becomes null where it is written as JSON. */
export function modelPart(model: LiveModelPicture | null, replicas: number): ModelPart {
  if (model === null) {
    return {
      lanes: [],
      phases: [],
      decodedTo: Array.from({ length: replicas }, () => null),
      bins: null,
      overview: null,
      figures: {},
      shares: [],
      readouts: [],
      verdict: null,
      judged: null,
      clocks: [],
      blocksPerSecond: null,
      commitsPerSecond: null,
    };
  }
  const {
    originTicks: _origin,
    now: _now,
    deliveries: _deliveries,
    episodes: _episodes,
    lanes,
    phases,
    ...rest
  } = model;
  return {
    ...rest,
    lanes: [...lanes],
    phases: phases.map((phase) => ({ ...phase, lanes: [...phase.lanes] })),
  };
}
