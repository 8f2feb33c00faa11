import type { ReactNode } from "react";
import type { Sequence, SlowBlock } from "@aglens/contract";
import { BlockBar } from "../../../charts/block-bar.tsx";
import { barLength } from "../../../charts/block-pieces.ts";
import { reportTexts as texts } from "../../../messages/report.ts";
import { FigureTable } from "../../../ui/figure-table.tsx";
import {
  durationText,
  formatBytes,
  formatCount,
  formatInstant,
  formatTime,
  rankText,
  zoneName,
} from "../../../ui/words.ts";
import { blockName } from "../../capture-view/databases.ts";
import { largestPart } from "../../capture-view/stage-means.ts";
import { inItsPhase } from "../../capture-view/phases.ts";
import { unreleasedText } from "../../capture-view/release.ts";
import { replicaNames } from "../../capture-view/names.ts";
import { isPartOfCapture } from "./overview-drawings.ts";
import type { ChosenSequence, ReportData } from "./report-data.ts";
import { Section } from "./section.tsx";
import { sequenceDrawing } from "./sequence-drawing.ts";
import { SvgPicture } from "./svg-picture.tsx";

/** Single blocks from commit to commit. */
export function SequencesPart({ data }: { readonly data: ReportData }): ReactNode {
  if (data.sequences.length === 0) return null;
  return (
    <Section id="sequences" title={texts.sequences} note={texts.toScaleEachBlock}>
      {data.sequences.map((chosen, i) => (
        <ChosenBlock key={chosen.sequence.row} id={`sequence${i}`} chosen={chosen} data={data} />
      ))}
    </Section>
  );
}

interface ChosenBlockProps {
  readonly id: string;
  readonly chosen: ChosenSequence;
  readonly data: ReportData;
}

function ChosenBlock({ id, chosen: { why, sequence: given }, data }: ChosenBlockProps): ReactNode {
  const { secondary } = data.choice;
  // Roles at the block's own time.
  const { summary, sequence } = inItsPhase(data.summary, given);
  const hop = sequence.hops.find((each) => each.secondary === secondary);
  const replicas = summary.replicas.map(({ name }) => name);
  const facts = [
    formatInstant(summary, sequence.time, 6),
    rankText(hop?.remoteHardenRank),
    formatBytes(sequence.size),
    releasedText(sequence, replicas),
  ];
  return (
    <figure>
      <figcaption>
        <b>
          {why}: {durationText(hop?.remoteHarden)}
        </b>{" "}
        <code>{blockName(summary, sequence)}</code> <span className="quiet">{facts.join(", ")}</span>
      </figcaption>
      <SvgPicture
        id={id}
        drawing={sequenceDrawing({ sequence, secondary, names: replicaNames(summary, secondary) })}
      />
    </figure>
  );
}

const releasedText = (sequence: Sequence, replicas: readonly string[]): string => {
  const { gate } = sequence;
  if (gate === 0) return unreleasedText(sequence);
  return gate === 1
    ? texts.releasedByTheLocal
    : texts.releasedBySAcknowledgment(replicas[gate - 1] ?? texts.secondary);
};

/** The slowest blocks as bars on one scale. */
export function SlowestPart({ data }: { readonly data: ReportData }): ReactNode {
  const { slowest, choice } = data;
  if (slowest.rows.length === 0) return null;
  const rows = slowest.rows.slice(0, choice.slowest);
  const scaleUs = Math.max(1, ...rows.map(({ stages }) => barLength(stages)));
  const partOf = (block: SlowBlock) => largestPart(block, data.names, data.summary);
  return (
    <Section
      id="slowest"
      title={texts.slowestBlocks}
      note={texts.ofStagesToOne(
        formatCount(rows.length),
        formatCount(slowest.total),
        data.filter === null,
        isPartOfCapture(data),
      )}
    >
      <FigureTable<SlowBlock>
        rows={rows}
        columns={[
          { id: zoneName(data.summary), cell: ({ time }) => formatTime(data.summary, time) },
          { id: "LSN", cell: (block) => <code>{blockName(data.summary, block)}</code> },
          {
            id: "Stages",
            className: "bar",
            cell: ({ stages, paused, localStart }) => (
              <BlockBar stages={stages} paused={paused} scaleUs={scaleUs} localStart={localStart ?? 0} />
            ),
          },
          {
            id: "Remote harden",
            className: "number",
            cell: ({ stages }) => <b>{durationText(stages["remoteHarden"])}</b>,
          },
          { id: "Largest stage", cell: (block) => partOf(block)?.label ?? "–" },
          { id: "Duration", className: "number", cell: (block) => durationText(partOf(block)?.us) },
        ]}
      />
    </Section>
  );
}
