import { useEffect, type ReactNode } from "react";
import type { Sequence, Summary } from "@aglens/contract";
import { LensList } from "../../charts/sequence/lenses.tsx";
import { SequencePicture } from "../../charts/sequence/picture.tsx";
import { placeOf, stageWords } from "../../lanes/palette.ts";
import { Button, Kbd, Segmented } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { useSize } from "../../ui/use-size.ts";
import {
  durationText,
  formatBytes,
  formatCount,
  formatOffset,
  formatPercent,
  formatUncertainty,
  formatUtc,
  rankText,
} from "../../ui/words.ts";
import { releaseOf } from "../release.ts";
import type { ScreenProps } from "../screen.ts";
import { CommitTableView } from "./commit-table.tsx";
import { EventTable } from "./event-table.tsx";
import { StageTable } from "./stage-table.tsx";
import { useSequence } from "./use-sequence.ts";
import "./sequence.css";

/** One log block from commit to commit: the picture to scale, its stages, its commits and its raw events. */
export function SequenceScreen(props: ScreenProps): ReactNode {
  const { source, summary, view, setView, open, setStatus } = props;
  const { sequence, slowOrder, error } = useSequence(source, summary, view);

  const step = (offset: number): void => {
    const at = slowOrder.indexOf(sequence?.row ?? -1);
    const next = slowOrder[at + offset];
    if (next !== undefined) setView({ block: next });
  };
  const inTime = (row: number | null | undefined): void => {
    if (row !== null && row !== undefined) setView({ block: row });
  };
  useKeys({
    nextSlow: () => step(1),
    previousSlow: () => step(-1),
    previousBlock: () => inTime(sequence?.previousInTime),
    nextBlock: () => inTime(sequence?.nextInTime),
    back: () => open("timeline"),
  });
  useEffect(() => {
    if (sequence)
      setStatus(
        statusOf(sequence),
        <>
          {clockSentence(summary, view.secondary)} <Kbd>Esc</Kbd> back to timeline
        </>,
      );
  }, [sequence, summary, view.secondary, setStatus]);

  if (error)
    return (
      <p className="sequence-empty" role="alert">
        {error}
      </p>
    );
  if (!sequence) return <output className="sequence-empty">Reading the block and its events</output>;
  const names = {
    primary: summary.replicas[0].name,
    secondary: summary.replicas[view.secondary + 1]?.name ?? "Secondary",
  };
  return (
    <div className="sequence" data-testid="sequence">
      <header className="sequence-head">
        <h1>
          Block <code>{sequence.lsn}</code>
        </h1>
        <span className="facts">{facts(sequence, summary)}</span>
        <span className="spring" />
        {summary.replicas.length > 2 ? (
          <Segmented
            label="Secondary"
            value={String(view.secondary)}
            options={summary.replicas
              .slice(1)
              .map((replica, s) => ({ value: String(s), label: replica.name }))}
            onChange={(value) => setView({ secondary: Number(value) })}
          />
        ) : null}
        <Segmented
          label="Scale"
          value={view.scale}
          options={[
            { value: "time", label: "To scale" },
            { value: "even", label: "Even steps" },
          ]}
          onChange={(scale) => setView({ scale })}
        />
        <Button onClick={() => step(-1)} disabled={slowOrder.indexOf(sequence.row) <= 0}>
          <span aria-hidden="true">‹</span> Previous slow <Kbd>p</Kbd>
        </Button>
        <Button onClick={() => step(1)} disabled={slowOrder.indexOf(sequence.row) === slowOrder.length - 1}>
          Next slow <span aria-hidden="true">›</span> <Kbd>n</Kbd>
        </Button>
      </header>
      <Picture
        sequence={sequence}
        summary={summary}
        secondary={view.secondary}
        even={view.scale === "even"}
        names={names}
      />
      <div className="sequence-tables">
        <StageTable
          sequence={sequence}
          secondary={view.secondary}
          names={names}
          holds={holds(sequence, summary, view.secondary)}
          asynchronous={summary.replicas[view.secondary + 1]?.commitMode === "async"}
        />
        <div className="sequence-right">
          <CommitTableView sequence={sequence} summary={summary} secondary={view.secondary} />
          <EventTable sequence={sequence} summary={summary} />
        </div>
      </div>
    </div>
  );
}

/** Whether a file of the secondary holds the block: it may end earlier or begin later than the primary's. */
function holds(sequence: Sequence, summary: Summary, secondary: number): boolean {
  if (!summary.replicas[secondary + 1]?.hasCapture) return false;
  const at = sequence.hops.find((hop) => hop.secondary === secondary)?.anchors;
  return [at?.received, at?.secondaryFlushStart, at?.ackSent].some((instant) => instant != null);
}

/** Under this width two lenses do not fit beside each other (design section 3). */
const LENSES_FROM = 1_000;

function Picture(props: {
  sequence: Sequence;
  summary: Summary;
  secondary: number;
  even: boolean;
  names: { primary: string; secondary: string };
}): ReactNode {
  const { sequence, summary, secondary, names } = props;
  const [box, { width }] = useSize<HTMLDivElement>();
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  return (
    <div ref={box} className="sequence-box">
      {width === 0 ? null : (
        <SequencePicture
          sequence={sequence}
          secondary={secondary}
          names={names}
          secondaryHolds={holds(sequence, summary, secondary)}
          missing={
            summary.replicas[secondary + 1]?.hasCapture
              ? `${names.secondary}'s file does not hold this block`
              : `no file of ${names.secondary} in this capture`
          }
          asynchronous={summary.replicas[secondary + 1]?.commitMode === "async"}
          uncertaintyUs={hop?.stages.find((stage) => stage.id === "wireOut")?.uncertaintyUs ?? null}
          even={props.even}
          lenses={width >= LENSES_FROM}
          width={Math.max(width, 640)}
          headline={<Headline sequence={sequence} secondary={secondary} names={names} summary={summary} />}
        />
      )}
      {width === 0 || width >= LENSES_FROM ? null : (
        <LensList sequence={sequence} secondary={secondary} names={names} />
      )}
    </div>
  );
}

/** The share that stands out: the network as one, or the largest other stage. */
function largest(
  sequence: Sequence,
  secondary: number,
  names: { primary: string; secondary: string },
): { text: string; place: string } | null {
  const stages = sequence.hops.find((hop) => hop.secondary === secondary)?.stages ?? [];
  const parts = stages.filter((stage) => stage.share !== null);
  if (parts.length === 0) return null;
  const network = parts
    .filter((stage) => placeOf(stage.id) === "network")
    .reduce((sum, stage) => sum + stage.share!, 0);
  const others = parts.filter((stage) => placeOf(stage.id) !== "network");
  const top = others.toSorted((a, b) => b.share! - a.share!)[0];
  const rest = 1 - parts.reduce((sum, stage) => sum + stage.share!, 0);
  if (rest > Math.max(network, top?.share ?? 0))
    return { text: `the network and ${names.secondary} took ${formatPercent(rest)}`, place: "none" };
  if (!top || network >= top.share!)
    return { text: `the network took ${formatPercent(network)}`, place: "network" };
  const words =
    top.id === "secondaryAppend" && sequence.vlfStart
      ? `${names.secondary} VLF header write and append`
      : stageWords(top.id, names);
  return { text: `${words} took ${formatPercent(top.share)}`, place: placeOf(top.id) };
}

/** What let the commit go, and how long the others had been done by then. */
function released(sequence: Sequence, summary: Summary): string {
  const { gate, name, afterLocal, other } = releaseOf(sequence, summary);
  if (gate === 0) return "no commit of this block in the capture";
  if (gate === 1)
    return `released by the local log write${other === null ? "" : `; ${other.name} had acknowledged ${durationText(other.earlierUs)} earlier`}`;
  // What would have let it go next: the local write, or the last other acknowledgement.
  const next =
    other !== null && (afterLocal === null || other.earlierUs < afterLocal)
      ? `, ${durationText(other.earlierUs)} after ${other.name}'s`
      : afterLocal === null
        ? ""
        : `, ${durationText(afterLocal)} after the local write`;
  return `released by ${name}'s ack${next}`;
}

function Headline({
  sequence,
  secondary,
  names,
  summary,
}: {
  sequence: Sequence;
  secondary: number;
  names: { primary: string; secondary: string };
  summary: Summary;
}): ReactNode {
  const hop = sequence.hops.find((candidate) => candidate.secondary === secondary);
  const top = largest(sequence, secondary, names);
  return (
    <div className="sequence-headline">
      <strong>{durationText(hop?.remoteHarden)}</strong>
      <span>
        {hop?.remoteHarden == null
          ? `cannot tell the remote harden: ${whyNoHarden(sequence, hop, names, summary)}`
          : `remote harden${rankWords(hop.remoteHardenRank)}`}
      </span>
      {top ? <span className={`top ${top.place}`}>{top.text}</span> : null}
      <span>
        {summary.replicas[secondary + 1]?.commitMode === "async"
          ? `${names.secondary} is asynchronous: no commit waits for it`
          : released(sequence, summary)}
      </span>
    </div>
  );
}

/** What the capture lacks for the remote harden of a block. */
function whyNoHarden(
  sequence: Sequence,
  hop: Sequence["hops"][number] | undefined,
  names: { primary: string; secondary: string },
  summary: Summary,
): string {
  if (hop?.anchors.sendStart == null) {
    const { from, to } = summary.replicas[0];
    const where =
      from !== null && sequence.time < from
        ? " begins after this block"
        : to !== null && sequence.time >= to
          ? " ends before this block"
          : " does not hold this block";
    return `${names.primary}'s file${where}`;
  }
  return `the capture holds no acknowledgement of ${names.secondary} for it`;
}

function rankWords(rank: number | null | undefined): string {
  if (rank === null || rank === undefined) return "";
  return rank >= 100 ? ", the longest of this capture" : `, ${rankText(rank)} of this capture`;
}

function facts(sequence: Sequence, summary: Summary): string {
  const commits = sequence.commits.length;
  return [
    sequence.size === null ? null : formatBytes(sequence.size),
    `${formatCount(commits)} ${commits === 1 ? "commit" : "commits"}`,
    sequence.vlfStart ? "first block of its VLF: VLF header write" : null,
    `${formatUtc(summary.originTicks, sequence.time, 6)} UTC`,
    formatOffset(sequence.time, 1000),
  ]
    .filter((part) => part !== null)
    .join(", ");
}

function statusOf({ commits }: Sequence): string {
  if (commits.length === 0) return "No commit of this block in the capture";
  const [first] = commits;
  const waited = (commit: (typeof commits)[number]): number => commit.end - commit.start;
  if (commits.length === 1) {
    const woken =
      first.wokenAfter === null ? "" : `, woken ${durationText(first.wokenAfter)} after its release`;
    return `1 commit waited ${durationText(waited(first))}${woken}`;
  }
  return `${commits.length} commits waited, longest ${durationText(Math.max(...commits.map(waited)))}`;
}

function clockSentence(summary: Summary, secondary: number): string {
  const clock = summary.clocks.find((candidate) => candidate.secondary === secondary);
  const replica = summary.replicas[secondary + 1];
  const name = replica?.name ?? "The secondary";
  if (replica && !replica.hasCapture) return `No file of ${name}: the network and its disk appear as one bar`;
  if (clock?.status !== "aligned") return `${name} cannot be put on the primary's clock`;
  return `${name} times moved to ${summary.replicas[0].name}'s clock, ${formatUncertainty(clock.strictUncertaintyUs)}; stage sums are exact`;
}
