import type { ReactNode } from "react";
import type { Sequence, Summary } from "@aglens/contract";
import type { StageId } from "@aglens/ag-model/replication";
import { Problem } from "../../../frame/problem.tsx";
import { placeToken, stageToken } from "../../../lanes/palette.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { Button, Kbd, Value } from "../../../ui/controls.tsx";
import { FigureTable } from "../../../ui/figure-table.tsx";
import {
  capitalised,
  durationText,
  formatCount,
  formatDuration,
  formatTime,
  utcTip,
  rankText,
  unbroken,
  formatUncertainty,
} from "../../../ui/words.ts";
import { CaptureContext, useCapture } from "../../capture-view/capture-context.ts";
import { databaseName } from "../../capture-view/databases.ts";
import { commitsText } from "../../capture-view/figures.ts";
import { inItsPhase } from "../../capture-view/phases.ts";
import { releaseOf, unreleasedText } from "../../capture-view/release.ts";
import { useReplicaNames } from "../../capture-view/names.ts";
import { classWord } from "../lanes/block-tip.tsx";
import { Reading, Readout } from "./pane-parts.tsx";
import { stageColumn } from "./stage-columns.tsx";
import { paneStages } from "../stage-names.ts";
import { useTimelineSelection } from "../timeline-context.ts";
import laneFrame from "../../lane-view/lane-frame.module.css";
import styles from "./pane.module.css";
import { FigureTerm, Term } from "../../../ui/term.tsx";

type Hop = Sequence["hops"][number];

/**
 * The selected block: the cause that released it, its stages with how they were obtained, and links to other screens.
 */
export function BlockPane(): ReactNode {
  const capture = useCapture();
  const { value, error, retry } = useTimelineSelection().sequence;
  if (value === null && error === null) return <Reading>{texts.readingBlock}</Reading>;
  if (value === null) return <Problem sentence={error} onRetry={retry} />;
  const { summary, sequence } = inItsPhase(capture.summary, value);
  return (
    <CaptureContext value={{ ...capture, summary }}>
      <Block sequence={sequence} />
    </CaptureContext>
  );
}

function Block({ sequence }: { readonly sequence: Sequence }): ReactNode {
  const { summary, view, open } = useCapture();
  const hop = sequence.hops.find((h) => h.secondary === view.secondary) ?? sequence.hops[0];
  const release = releaseText(sequence, summary);
  return (
    <>
      <BlockHead sequence={sequence} />
      <BlockReadouts sequence={sequence} hop={hop} />
      <p className={styles.note} style={{ borderColor: `var(${release.token})` }}>
        <b>
          <Term id="releasedBy">{release.lead}</Term>
        </b>{" "}
        {unbroken(release.rest)}
      </p>
      {hop ? <Waterfall sequence={sequence} hop={hop} /> : null}
      <BlockStages hop={hop} />
      <div className={styles.actions}>
        <Button kind="primary" onClick={() => open("sequence")}>
          {texts.openSequence} <Kbd>Enter</Kbd>
        </Button>
      </div>
    </>
  );
}

function BlockHead({ sequence }: { sequence: Sequence }): ReactNode {
  const { summary } = useCapture();
  const { selection } = useTimelineSelection();
  const { previousInTime, nextInTime } = sequence;
  return (
    <>
      <div className={styles.blockHead}>
        <h2>
          {databaseName(summary, sequence.database) ?? texts.block} <code>{sequence.lsn}</code>
        </h2>
        <Button
          kind="quiet"
          aria-label={texts.previousBlockInTime}
          disabled={previousInTime === null}
          onClick={() => selection.select(previousInTime)}
        >
          ‹
        </Button>
        <Button
          kind="quiet"
          aria-label={texts.nextBlockInTime}
          disabled={nextInTime === null}
          onClick={() => selection.select(nextInTime)}
        >
          ›
        </Button>
      </div>
      <p className={laneFrame.sub}>
        {sequence.size === null ? texts.sizeUnknown : `${formatCount(sequence.size)} B`},{" "}
        {commitsText(summary, sequence.commits.length)},{" "}
        <span title={utcTip(summary, sequence.time, 6)}>{formatTime(summary, sequence.time, 6)}</span>
      </p>
    </>
  );
}

function BlockReadouts({ sequence, hop }: { sequence: Sequence; hop: Hop | undefined }): ReactNode {
  const longest = sequence.commits.reduce<Sequence["commits"][number] | null>(
    (a, c) => (a === null || c.end - c.start > a.end - a.start ? c : a),
    null,
  );
  return (
    <div className={styles.readouts} data-columns={3}>
      <Readout term="commit" label={texts.commitLabel}>
        <Value figure={formatDuration(longest ? longest.end - longest.start : null)} strong />
      </Readout>
      <Readout term="remoteHarden" label={texts.remoteHardenLabel}>
        <Value figure={formatDuration(hop?.remoteHarden)} strong />
      </Readout>
      <Readout term="rank" label={longest ? texts.commitRank : texts.hardenRank}>
        <span className="value">
          <b>{rankText(longest?.rank ?? hop?.remoteHardenRank ?? null)}</b>
        </span>
      </Readout>
    </div>
  );
}

const stagesOfPane = (hop: Hop | undefined): readonly StageId[] =>
  paneStages(hop?.stages.find(({ id }) => id === "captureLag")?.duration);

function BlockStages({ hop }: { hop: Hop | undefined }): ReactNode {
  const names = useReplicaNames();
  const roundTrip = hop?.stages.find((s) => s.id === "networkRoundTrip");
  const listed = stagesOfPane(hop);
  const rows = hop?.stages.filter((s) => listed.includes(s.id) && s.duration !== null) ?? [];
  return (
    <FigureTable<(typeof rows)[number]>
      data-names="wrap"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        stageColumn("Stage", names),
        {
          id: "Duration",
          cell: ({ duration, share }) => (
            <Value figure={formatDuration(duration)} strong={(share ?? 0) > 0.25} />
          ),
        },
        { id: "Rank", term: "rank", cell: ({ rank }) => rankText(rank) },
        {
          id: "How",
          term: "obtained",
          cell: ({ uncertaintyUs, obtained }) =>
            uncertaintyUs === null ? obtained : <FigureTerm>{formatUncertainty(uncertaintyUs)}</FigureTerm>,
        },
      ]}
      last={
        roundTrip?.duration != null && (
          <tr className={styles.total}>
            <th scope="row">
              <Term id="networkRoundTrip">{texts.networkSum}</Term>
            </th>
            <td>
              <Value figure={formatDuration(roundTrip.duration)} strong />
            </td>
            <td />
            <td>{texts.exact}</td>
          </tr>
        )
      }
    />
  );
}

/** "Released by ..." with the time by which the others were done earlier (docs/contribute/design.md 12). */
function releaseText(sequence: Sequence, summary: Summary): { lead: string; rest: string; token: string } {
  const { gate, name, afterLocal, other, withoutUs } = releaseOf(sequence, summary);
  if (gate === 0) return { lead: `${capitalised(unreleasedText(sequence))}.`, rest: "", token: "--line-2" };
  const acknowledged =
    other === null ? null : texts.hadAcknowledgedEarlier(other.name, durationText(other.earlierUs));
  if (gate === 1)
    return {
      lead: texts.releasedByTheLocal,
      rest: [acknowledged === null ? null : `${acknowledged}.`, writeWords(sequence)]
        .filter((part) => part !== null)
        .join(" "),
      token: placeToken("primary"),
    };
  const without = withoutUs === null ? "" : texts.withoutThisCommitTakes(name, durationText(withoutUs));
  const local = afterLocal === null ? "" : texts.localLogWriteHad(durationText(afterLocal));
  return {
    lead: texts.releasedBySAck(name),
    rest: acknowledged === null ? local : `${acknowledged}${without}.`,
    token: placeToken("secondary"),
  };
}

/** Duration of the write that released the commit, with its class unless that is good. */
function writeWords({ local }: Sequence): string | null {
  const { localFlushStart, localFlushEnd } = local;
  if (localFlushStart == null || localFlushEnd == null) return null;
  const us = localFlushEnd - localFlushStart;
  const word = classWord(us, 0, true);
  return texts.writeTook(durationText(us), word === "good" ? "" : ` (${word})`);
}

function Waterfall({ sequence, hop }: { sequence: Sequence; hop: Hop }): ReactNode {
  const listed = stagesOfPane(hop);
  const timed = hop.stages.filter((s) => listed.includes(s.id) && s.from !== null && s.to !== null);
  if (timed.length === 0) return null;
  const from = Math.min(
    sequence.local["commitStart"] ?? Number.POSITIVE_INFINITY,
    ...timed.map((s) => s.from!),
  );
  const to = Math.max(...timed.map((s) => s.to!), ...sequence.commits.map((c) => c.end));
  const percent = (t: number) => `${((t - from) / (to - from)) * 100}%`;
  return (
    <figure className={styles.waterfall}>
      {timed.map((s) => (
        <div key={s.id}>
          <i
            style={{
              left: percent(s.from!),
              width: `max(1px, ${((s.to! - s.from!) / (to - from)) * 100}%)`,
              background: `var(${stageToken(s.id)})`,
            }}
          />
        </div>
      ))}
      <figcaption>
        <span>{sequence.commits.length > 0 ? texts.commitBegins : texts.blockBegins}</span>
        <span>{durationText(to - from)}</span>
      </figcaption>
    </figure>
  );
}
