import { stagesOf } from "../../charts/overview/shares.ts";
import { type ReplicaNames, stageWords, type StageToken } from "../../lanes/palette.ts";

/** What the stages of one colour are called together. */
export function colourWords(token: StageToken, names: ReplicaNames): string {
  if (token === "--p-work") return `${names.primary} send, ack`;
  if (token === "--s-work") return `${names.secondary} receive, ack`;
  return stageWords(stagesOf(token)[0] ?? "", names);
}
