import type { Summary } from "@aglens/contract";
import { type CaptureTime, durationText, formatPercent, formatUtcs } from "../../ui/words.ts";
import styles from "../answer-band.module.css";

type Finding = Summary["verdict"]["findings"][number];

const SEVERITY = { slow: "Slow", notice: "Notice", none: "Info" } as const;

/** Every rule that fired, most severe first, each with when, where, how much and by which limit. */
export function Findings({ summary }: { readonly summary: Summary }) {
  const { findings } = summary.verdict;
  // What only describes the capture is the verdict's own sentence.
  const shown = findings.filter(({ rule }) => rule !== "D0");
  if (shown.length === 0) return null;
  return (
    <details className={styles.notes}>
      <summary>{shown.length === 1 ? "1 finding" : `${shown.length} findings`}</summary>
      <ul>
        {shown.map((finding) => (
          <li key={`${finding.rule}${finding.replica}${finding.sentence}`} className={styles.finding}>
            <b data-severity={finding.severity}>{SEVERITY[finding.severity]}</b> {finding.sentence}
            <FindingFacts finding={finding} summary={summary} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function FindingFacts({ finding, summary }: { readonly finding: Finding; readonly summary: Summary }) {
  const facts = factsOf(finding, summary);
  return facts.length === 0 ? null : <span className={styles.facts}>{facts.join(" · ")}</span>;
}

/** `SQL2`, `02:17:28 to 02:18:04 UTC`, `71 % of commit latency`, `commit p95 168 ms, 22.6 ms outside`, the limit. */
export function factsOf(
  { replica, database, window, share, effect, threshold, source }: Finding,
  summary: Pick<Summary, "replicas" | "databases" | keyof CaptureTime>,
): string[] {
  const { replicas, databases } = summary;
  return [
    replica === null ? null : (replicas[replica]?.name ?? null),
    database === null ? null : (databases[database]?.name ?? null),
    window && `${formatUtcs(summary, window.from, window.to).join(" to ")} UTC`,
    share === null ? null : `${formatPercent(share)} of commit latency`,
    effect?.p95Inside != null && effect.p95Outside != null
      ? `commit p95 ${durationText(effect.p95Inside)}, ${durationText(effect.p95Outside)} outside`
      : null,
    threshold === "" ? null : `limit: ${threshold} (${source})`,
  ].filter((fact) => fact !== null);
}
