import type { EvidenceAnswer, Summary } from "@aglens/contract";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { windowsOf } from "@aglens/ag-model/diagnosis";
import type { TimeRange } from "../../data/capture-source.ts";
import {
  type CaptureTime,
  durationText,
  formatCount,
  formatPercent,
  formatRange,
  formatTimes,
} from "../../ui/words.ts";
import { helpOfCause } from "../../messages/causes.ts";
import { overviewTexts as texts } from "../../messages/overview.ts";
import { agreeingSentence } from "../capture-view/agreeing-evidence.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { joinableBlocks } from "../capture-view/coverage.ts";
import { expectationNotMet, HowReadLink } from "./how-read-link.tsx";
import styles from "../capture-view/answer-band.module.css";

type Finding = Summary["verdict"]["findings"][number];

const SEVERITY = { slow: "Slow", notice: "Notice", none: "Info" } as const;

/** Findings: the rules with a severity, most severe first, each with its time, place, figures and limit. */
export function Findings({
  summary,
  evidence = null,
}: {
  readonly summary: Summary;
  /** Facts of evidence files, of which a finding cites those that agree. */
  readonly evidence?: EvidenceAnswer | null;
}): ReactNode {
  const found = summary.verdict.findings.filter(({ severity }) => severity !== "none");
  if (found.length === 0) return null;
  return (
    <details className={styles.notes}>
      <summary>{texts.finding(found.length)}</summary>
      <FindingList findings={found} summary={summary} evidence={evidence} />
    </details>
  );
}

/**
 * Descriptions of the capture that are not findings, how its figures were measured, and the link to how its files were
 * read.
 */
export function HowMeasured({ summary }: { readonly summary: Summary }): ReactNode {
  const { findings, measured = [] } = summary.verdict;
  const joinable = joinableBlocks(summary);
  // D0 is the verdict's own sentence.
  const described = findings.filter(({ rule, severity }) => severity === "none" && rule !== "D0");
  return (
    <details className={`${styles.notes} ${styles.quietNotes}`}>
      <summary>{texts.howThisWasMeasured}</summary>
      <FindingList findings={described} summary={summary} />
      <ul>
        {measured.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {joinable > 0 && (
          <li>{texts.ofLogBlocks(formatCount(summary.blocks.onBoth), formatCount(joinable))}</li>
        )}
      </ul>
      {expectationNotMet(summary) === null && <HowReadLink />}
    </details>
  );
}

interface ListProps {
  readonly findings: readonly Finding[];
  readonly summary: Summary;
  readonly evidence?: EvidenceAnswer | null;
}

function FindingList({ findings, summary, evidence = null }: ListProps): ReactNode {
  return (
    <ul>
      {findings.map((finding) => (
        <li key={keyOf(finding)} className={styles.finding}>
          <b data-severity={finding.severity}>{SEVERITY[finding.severity]}</b> {finding.sentence}{" "}
          <Link className={styles.link} href={`/help/${helpOfCause(finding.cause)}`}>
            {texts.howToCheck}
          </Link>
          <FindingFacts finding={finding} summary={summary} />
          {evidence === null ? null : (
            <span className="block">
              {agreeingSentence(evidence, { ...finding, windows: windowsOf(finding) }, summary)}
            </span>
          )}
          {windowsOf(finding).length > 1 && <FindingWindows finding={finding} />}
        </li>
      ))}
    </ul>
  );
}

/** A rule may find the same for several databases, with the same text. */
const keyOf = ({ rule, severity, replica, database, window, sentence }: Finding): string =>
  [rule, severity, replica, database, window?.from, sentence].join(" ");

function FindingFacts({ finding, summary }: { readonly finding: Finding; readonly summary: Summary }) {
  const facts = factsOf(finding, summary);
  return facts.length === 0 ? null : <span className="quiet figures block">{facts.join(" · ")}</span>;
}

/** Maximum number of listed windows; more are counted. */
const MOST_LINKS = 24;

/** Each time of the finding; a press shows that time with the same time before and after it. */
function FindingWindows({ finding }: { readonly finding: Finding }): ReactNode {
  const { summary, setView } = useCapture();
  const windows = windowsOf(finding);
  const show = ({ from, to }: TimeRange): void =>
    setView({ range: [Math.max(0, from - (to - from)), Math.min(summary.durationUs, to + (to - from))] });
  return (
    <span className={styles.times}>
      {windows.slice(0, MOST_LINKS).map((window) => (
        <button
          key={window.from}
          type="button"
          className={styles.link}
          title={texts.showIt(durationText(window.to - window.from))}
          onClick={() => show(window)}
        >
          {formatTimes(summary, window.from, window.to)[0]}
        </button>
      ))}
      {windows.length > MOST_LINKS && texts.andMore(formatCount(windows.length - MOST_LINKS))}
    </span>
  );
}

/** `SQL2`, `02:17:28 to 02:18:04 UTC`, `71 % of commit latency`, `commit p95 168 ms, 22.6 ms outside`, the limit. */
export function factsOf(
  finding: Finding,
  summary: Pick<Summary, "replicas" | "databases"> & CaptureTime,
): string[] {
  const { replica, database, share, effect, threshold, source } = finding;
  const { replicas, databases } = summary;
  return [
    replica === null ? null : (replicas[replica]?.name ?? null),
    database === null ? null : (databases[database]?.name ?? null),
    timesOf(windowsOf(finding), summary),
    share === null ? null : texts.ofCommitLatency(formatPercent(share)),
    effect?.p95Inside != null && effect.p95Outside != null
      ? texts.commitP95Outside(durationText(effect.p95Inside), durationText(effect.p95Outside))
      : null,
    threshold === "" ? null : texts.limit(threshold, source),
  ].filter((fact) => fact !== null);
}

/** `02:17:28 to 02:18:04 UTC`; `4 times, 02:17:28 to 02:18:04 UTC` from the first beginning to the last end. */
function timesOf(windows: readonly TimeRange[], time: CaptureTime): string | null {
  const [first] = windows;
  const last = windows.at(-1);
  if (first === undefined || last === undefined) return null;
  const span = formatRange(time, first.from, last.to);
  return windows.length === 1 ? span : texts.times(formatCount(windows.length), span);
}
