import type { ReactNode } from "react";
import type { Summary } from "xel-parser/contract";
import { REMOTE_PATH, stageDuration } from "xel-parser/replication";
import { BlockBar } from "../../charts/block-bar.tsx";
import type { Hit } from "../../charts/timeline/hit-test.ts";
import type { Lane } from "../../charts/timeline/lanes.ts";
import type { Buffer } from "../../charts/timeline/spans.ts";
import { durationText } from "../../ui/words.ts";

interface Props {
  readonly hit: Hit;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly row: number | null;
  readonly buffer: Buffer;
  readonly summary: Summary;
}

const TIP_WIDTH = 236;
const TIP_HEIGHT = 84;

/** Word for a log write's class (design.md section 6); null for other lanes and quiet values. */
export function classWord(us: number, limitUs: number, isLogWrite: boolean): string | null {
  if (isLogWrite) return us > 50_000 ? "bad" : us > 20_000 ? "busy" : us > 10_000 ? "reasonable" : "good";
  return us > limitUs ? "over its limit" : null;
}

/** A lane in words: "SQL2 log write", "Network out", "Commit". */
export function laneWords(lane: Lane, summary: Summary): string {
  if (lane.shape === "commits") return "Commit";
  if (lane.place === "network") return lane.label;
  const replica = lane.place === "primary" ? 0 : lane.secondary + 1;
  return `${summary.replicas[replica]?.name ?? ""} ${lane.label.toLowerCase()}`;
}

function lsnText(blockId: bigint): string {
  const hex = (value: bigint) => value.toString(16).padStart(8, "0");
  return `${hex(blockId >> 32n)}:${hex(blockId & 0xffff_ffffn)}`;
}

/** Stages of a block of the buffer towards one secondary, for the block bar. */
export function blockStages(
  buffer: Buffer,
  secondary: number,
  position: number,
): Record<string, number | null> {
  const { blocks, hops } = buffer.blocks!;
  const tables = { blocks: blocks as Parameters<typeof stageDuration>[0]["blocks"], hops };
  const ids = ["localFlush" as const, ...REMOTE_PATH.map((s) => s.id)];
  return Object.fromEntries(ids.map((id) => [id, stageDuration(tables, secondary, id, position)]));
}

/** What is under the pointer: stage, duration, class word, block bar, LSN. */
export function BlockTip({ hit, x, y, width, height, row, buffer, summary }: Props): ReactNode {
  const { lane } = hit.box;
  const title = laneWords(lane, summary);
  const word = classWord(hit.value, lane.limitUs, lane.label === "Log write");
  const position = row === null || !buffer.blocks ? -1 : buffer.blocks.row.indexOf(row);
  const stages = position < 0 ? null : blockStages(buffer, Math.max(0, lane.secondary), position);
  const total = stages ? REMOTE_PATH.reduce((sum, s) => sum + Math.max(0, stages[s.id] || 0), 0) : 0;
  const scale = Math.max(total, stages?.["localFlush"] ?? 0, 1);
  const left = x + 12 + TIP_WIDTH > width ? Math.max(0, x - TIP_WIDTH - 12) : x + 12;
  const top = Math.min(height - TIP_HEIGHT, Math.max(0, y - TIP_HEIGHT - 8));
  return (
    <div className="tl-tip" role="tooltip" style={{ left, top, width: TIP_WIDTH }}>
      <div>
        <b>
          {title} {durationText(hit.value)}
        </b>
        {word && word !== "good" ? <em>{word}</em> : <span>{word}</span>}
      </div>
      {position < 0 ? (
        <p>Largest of this pixel; click for its block</p>
      ) : (
        <p>
          {total > 0
            ? `Remote harden ${durationText(total)}, the rest took ${durationText(Math.max(0, total - hit.value))}`
            : "Not acknowledged in this capture"}
        </p>
      )}
      {stages && total > 0 ? <BlockBar stages={stages} scaleUs={scale} height={12} /> : null}
      {position < 0 ? null : <code>{lsnText(buffer.blocks!.blocks.blockId[position])}</code>}
    </div>
  );
}
