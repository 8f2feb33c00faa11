import type { ReactNode } from "react";
import { pausedPathOf } from "@aglens/ag-model/columns";
import type { Summary } from "@aglens/contract";
import { formatLsn, isStageId } from "@aglens/ag-model/replication";
import { BlockBar } from "../../../charts/block-bar.tsx";
import type { BarStages } from "../../../charts/block-pieces.ts";
import type { Pointed } from "../../../charts/timeline/pointed-bar.ts";
import type { Lane } from "../../../lanes/lanes.ts";
import type { Buffer } from "../../../charts/timeline/spans.ts";
import { capitalised, durationText } from "../../../ui/words.ts";
import { namesOfSlots } from "../../capture-view/phases.ts";
import { releaseText } from "../panes/released-by.ts";
import styles from "./block-tip.module.css";
import { blockIdOf, blockStages, gateOf, phaseIn, rankSentence } from "../../../charts/timeline/buffered.ts";
import { timelineLanesTexts as texts } from "../../../messages/timeline-lanes.ts";

interface Props {
  readonly pointed: Pointed;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly row: number | null;
  readonly buffer: Buffer;
  readonly summary: Summary;
}

const TIP_WIDTH = 252;
const TIP_HEIGHT = 84;

/** Word for a log write's class (docs/contribute/design.md 6); null for other lanes and quiet values. */
export function classWord(us: number, limitUs: number, isLogWrite: boolean): string | null {
  if (isLogWrite) return us > 50_000 ? "bad" : us > 20_000 ? "busy" : us > 10_000 ? "reasonable" : "good";
  return us > limitUs ? texts.overItsLimit : null;
}

/**
 * Name of a lane: "SQL2 log write", "Network out", "Commit". @param phase of a block; null for all, "SQL1 › SQL2 log
 * write"
 */
export function laneText(lane: Lane, summary: Summary, phase: number | null = null): string {
  if (lane.shape === "commits") return "Commit";
  if (lane.place === "network") return lane.label;
  const replica = lane.place === "primary" ? 0 : lane.secondary + 1;
  // The label of a database's own lane ends with its name.
  const label = lane.label.charAt(0).toLowerCase() + lane.label.slice(1);
  return `${namesOfSlots(summary, phase)[replica] ?? ""} ${label}`;
}

/** Text for the length of a bar; a raw clock can reverse cause and effect, which then has no duration. */
export const lengthText = (us: number): string =>
  us < 0 ? texts.arrivesBeforeItLeaves(durationText(-us)) : durationText(us);

/** Text on the rest of the block, apart from the lane under the pointer. */
function restText(pointed: Pointed, buffer: Buffer, position: number, stages: BarStages, summary: Summary) {
  const { lane } = pointed.box;
  if (lane.secondary < 0) {
    const release = releaseText(summary, gateOf(buffer, position), phaseIn(buffer, position));
    return release === null ? null : texts.releasedBy(release);
  }
  const whole = stages.remoteHarden ?? null;
  if (whole === null) return texts.notAcknowledged;
  // Waking up is not part of the remote path.
  const part = lane.figure === "ackWakeUp" ? "ackReceive" : lane.figure;
  const aligned = isStageId(part) ? (stages[part] ?? null) : null;
  if (pointed.value < 0 && aligned !== null) return texts.alignedItTakes(durationText(aligned));
  return texts.otherStages(durationText(Math.max(0, whole - (aligned ?? pointed.value))));
}

interface BodyProps extends Pick<Props, "pointed" | "buffer" | "summary"> {
  readonly position: number;
}

/** Rank, duration of the rest, block bar and LSN of a loaded block. */
function TipBody({ pointed, buffer, summary, position }: BodyProps): ReactNode {
  const { lane } = pointed.box;
  const stages = blockStages(buffer, Math.max(0, lane.secondary), position);
  const whole = buffer.blocks!.blocks.length === summary.blocks.total;
  const rank = pointed.value < 0 ? null : rankSentence(buffer.spans.get(lane.key), pointed.value, whole);
  const rest = restText(pointed, buffer, position, stages, summary);
  const words = [rank, rest].filter((part) => part !== null).join(", ");
  const harden = stages["remoteHarden"] ?? 0;
  return (
    <>
      {words === "" ? null : <p>{capitalised(words)}</p>}
      {harden > 0 ? (
        <BlockBar
          stages={stages}
          paused={pausedPathOf(buffer.blocks!, summary, Math.max(0, lane.secondary), position)}
          scaleUs={Math.max(harden, stages["localFlush"] ?? 0)}
          height={12}
        />
      ) : null}
      <code>{formatLsn(blockIdOf(buffer, position))}</code>
    </>
  );
}

/** The bar under the pointer: stage, duration, class word, rank, block bar, LSN. */
export function BlockTip({ pointed, x, y, width, height, row, buffer, summary }: Props): ReactNode {
  const { lane } = pointed.box;
  const word = pointed.value < 0 ? null : classWord(pointed.value, lane.limitUs, lane.label === "Log write");
  const position = row === null || !buffer.blocks ? -1 : buffer.blocks.row.indexOf(row);
  const left = x + 12 + TIP_WIDTH > width ? Math.max(0, x - TIP_WIDTH - 12) : x + 12;
  const top = Math.min(height - TIP_HEIGHT, Math.max(0, y - TIP_HEIGHT - 8));
  return (
    <div className={styles.tip} role="tooltip" style={{ left, top, width: TIP_WIDTH }}>
      <div>
        <b>
          {laneText(lane, summary, position < 0 ? null : phaseIn(buffer, position))}{" "}
          {lengthText(pointed.value)}
        </b>
        {word && word !== "good" ? <em>{word}</em> : <span>{word}</span>}
      </div>
      {position < 0 ? (
        <p>{texts.largestOfThisPixel}</p>
      ) : (
        <TipBody pointed={pointed} buffer={buffer} summary={summary} position={position} />
      )}
    </div>
  );
}
