import type { ReactNode } from "react";
import { Link } from "wouter";
import type { StatusJob, StatusRecognition } from "@aglens/contract";
import { cancelAnalysis } from "../../data/captures-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { Button, Card } from "../../ui/controls.tsx";
import { formatBytes, formatPercent } from "../../ui/words.ts";
import { recognitionWords } from "./status-words.ts";
import styles from "./status-screen.module.css";

interface Props {
  readonly jobs: readonly StatusJob[];
  readonly recognitions: readonly StatusRecognition[];
  /** Analyses at the same time; null for who may not know. */
  readonly most: number | null;
  readonly onChanged: () => void;
}

/** What runs, and what waits for what. */
export function JobsCard({ jobs, recognitions, most, onChanged }: Props): ReactNode {
  const stop = useCommand(async (id: string) => {
    await cancelAnalysis(id);
    onChanged();
  });
  const aside =
    most === null ? "yours, with their place among all" : `at most ${most} at once, within their memory`;
  return (
    <Card title="Queue of analyses" aside={aside}>
      <Problem sentence={stop.error} />
      {jobs.length === 0 ? (
        <p className="quiet">No analysis runs or waits.</p>
      ) : (
        <table className={`${styles.table} ${styles.jobs}`}>
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">Capture</th>
              <th scope="col" className={styles.wide}>
                Owner
              </th>
              <th scope="col" className={styles.figure}>
                Size
              </th>
              <th scope="col">Phase, or why it waits</th>
              <th scope="col">
                <span className="sr-only">Stop</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {jobs.map((job) => (
              <JobRow key={job.captureId} job={job} onStop={() => stop.run(job.captureId)} />
            ))}
          </tbody>
        </table>
      )}
      {recognitions.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>Files that are being recognised, or wait for it</h3>
          <ul className={styles.lines}>
            {recognitions.map((one) => (
              <li key={one.captureId}>
                <b>{one.name}</b> <span className="quiet">{one.owner ?? ""}</span> {recognitionWords(one)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

function JobRow({ job, onStop }: { readonly job: StatusJob; readonly onStop: () => void }): ReactNode {
  const { captureId, name, owner, bytes, phase, share, waiting, mayChange } = job;
  return (
    <tr>
      <td>{waiting === null ? "running" : `waiting, ${waiting.place}.`}</td>
      <td title={name}>
        <Link href={`/captures/${captureId}`}>{name}</Link>
      </td>
      <td className={styles.wide}>{owner ?? ""}</td>
      <td className={styles.figure}>{formatBytes(bytes)}</td>
      <td title={waiting?.reason}>
        {waiting === null ? (
          <span className={styles.phase}>
            {PHASES[phase] ?? phase}
            <progress max={1} value={share} aria-label={`${name}: ${formatPercent(share)} read`} />
          </span>
        ) : (
          waiting.reason
        )}
      </td>
      <td className={styles.figure}>
        {mayChange ? (
          <Button kind="quiet" aria-label={`Stop ${name}`} title="The files stay" onClick={onStop}>
            stop
          </Button>
        ) : null}
      </td>
    </tr>
  );
}

const PHASES: Readonly<Record<string, string>> = {
  receiving: "is about to begin",
  decode: "decode events",
  roles: "find roles and replicas",
  join: "join log blocks",
  align: "align clocks",
  measure: "measure stages",
  verdict: "find the verdict",
  store: "store the tables",
};
