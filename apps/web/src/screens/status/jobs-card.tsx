import type { ReactNode } from "react";
import { Link } from "wouter";
import type { StatusJob, StatusRecognition } from "@aglens/contract";
import { cancelAnalysis } from "../../data/captures-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { Button, Card } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatBytes, formatPercent } from "../../ui/words.ts";
import { recognitionWords } from "./status-words.ts";
import styles from "./status-screen.module.css";

interface Props {
  readonly jobs: readonly StatusJob[];
  readonly recognitions: readonly StatusRecognition[];
  /** Maximum number of simultaneous analyses; null for users without the right to see it. */
  readonly most: number | null;
  readonly onChanged: () => void;
}

/** Running jobs, and waiting jobs with the reason for their wait. */
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
        <FigureTable<StatusJob>
          className={`${styles.table} ${styles.jobs}`}
          rows={jobs}
          rowKey={({ captureId }) => captureId}
          columns={[
            {
              id: "State",
              cell: ({ waiting }) => (waiting === null ? "running" : `waiting, ${waiting.place}.`),
            },
            {
              id: "Capture",
              align: "left",
              cell: ({ captureId, name }) => <Link href={`/captures/${captureId}`}>{name}</Link>,
              cellProps: ({ name }) => ({ title: name }),
            },
            { id: "Owner", align: "left", className: styles.wide, cell: ({ owner }) => owner ?? "" },
            { id: "Size", className: styles.figure, cell: ({ bytes }) => formatBytes(bytes) },
            {
              id: "Phase, or why it waits",
              align: "left",
              cell: (job) => job.waiting?.reason ?? <Phase job={job} />,
              cellProps: ({ waiting }) => ({ title: waiting?.reason }),
            },
            {
              id: "Stop",
              isHeadHidden: true,
              className: styles.figure,
              cell: ({ captureId, name, mayChange }) =>
                mayChange ? (
                  <Button
                    kind="quiet"
                    aria-label={`Stop ${name}`}
                    title="The files stay"
                    onClick={() => stop.run(captureId)}
                  >
                    stop
                  </Button>
                ) : null,
            },
          ]}
        />
      )}
      {recognitions.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>Files that are being recognized, or wait for it</h3>
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

const Phase = ({ job: { name, phase, share } }: { readonly job: StatusJob }): ReactNode => (
  <span className={styles.phase}>
    {PHASES[phase] ?? phase}
    <progress max={1} value={share} aria-label={`${name}: ${formatPercent(share)} read`} />
  </span>
);

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
