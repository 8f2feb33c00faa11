import type { ReactNode } from "react";
import { Link } from "wouter";
import type { StatusJob, StatusRecognition } from "@aglens/contract";
import { cancelAnalysis } from "../../data/captures-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { statusTexts as texts } from "../../messages/status.ts";
import { Button, Card } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatBytes, formatPercent } from "../../ui/words.ts";
import { recognitionText } from "./status-text.ts";
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
  const aside = most === null ? texts.yoursWithTheirPlace : texts.atMostAtOnce(most);
  return (
    <Card title={texts.queueOfAnalyses} aside={aside}>
      <Problem sentence={stop.error} />
      {jobs.length === 0 ? (
        <p className="quiet">{texts.noAnalysisRuns}</p>
      ) : (
        <FigureTable<StatusJob>
          className={`${styles.table} ${styles.jobs}`}
          rows={jobs}
          rowKey={({ captureId }) => captureId}
          columns={[
            {
              id: "State",
              cell: ({ waiting }) => (waiting === null ? texts.running : `waiting, ${waiting.place}.`),
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
                    aria-label={texts.stop(name)}
                    title={texts.filesStay}
                    onClick={() => stop.run(captureId)}
                  >
                    {texts.stopPart}
                  </Button>
                ) : null,
            },
          ]}
        />
      )}
      {recognitions.length === 0 ? null : (
        <>
          <h3 className={styles.subtitle}>{texts.filesThatAreBeing}</h3>
          <ul className={styles.lines}>
            {recognitions.map((one) => (
              <li key={one.captureId}>
                <b>{one.name}</b> <span className="quiet">{one.owner ?? ""}</span> {recognitionText(one)}
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
    <progress max={1} value={share} aria-label={texts.read(name, formatPercent(share))} />
  </span>
);

const PHASES: Readonly<Record<string, string>> = {
  receiving: texts.isAboutToBegin,
  decode: texts.decodeEvents,
  roles: texts.findRolesAndReplicas,
  join: texts.joinLogBlocks,
  align: texts.alignClocks,
  measure: texts.measureStages,
  verdict: texts.findTheVerdict,
  store: texts.storeTheTables,
};
