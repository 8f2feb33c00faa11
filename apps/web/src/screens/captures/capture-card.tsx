import type { ReactNode } from "react";
import type { Capture, FileCorrection } from "@aglens/contract";
import { CheckIcon, WarningIcon } from "../../frame/icons.tsx";
import { durationText, formatBytes } from "../../ui/words.ts";
import { AxisLabels, type CoverageAxis } from "./coverage-bar.tsx";
import { useDraft } from "./draft.ts";
import { MissingRow, missingRows } from "./missing-row.tsx";
import { byReplica, coverageOf, type ReplicaFiles } from "./replica-files.ts";
import { ReplicaRow } from "./replica-row.tsx";
import { RestRow } from "./rest-row.tsx";
import styles from "./capture-card.module.css";

interface Props {
  readonly capture: Capture;
  /** Each file has a line of its own with what can be corrected about it. */
  readonly editing: boolean;
  readonly onAddFile: (as?: FileCorrection) => void;
}

/** What was recognised: a row per replica on one time axis, then what could not be read. */
export function CaptureCard({ capture, editing, onAddFile }: Props): ReactNode {
  const rename = useDraft((draft) => draft.rename);
  // While files are on their way nobody can say which one is missing.
  const complete = useDraft((draft) => draft.uploads.every((upload) => upload.problem !== null));
  const replicas = byReplica(capture.files);
  const axis = coverageOf(replicas);
  const rest = capture.files.filter((file) => file.kind !== "xel" || file.role === "ignored");
  const size = capture.files.reduce((sum, file) => sum + file.size, 0);
  return (
    <section className="card" aria-label="Recognised files">
      <header className={styles.head}>
        <input
          className={styles.name}
          aria-label="Name of the capture"
          key={capture.name}
          defaultValue={capture.name}
          maxLength={120}
          onBlur={(event) => {
            const name = event.target.value.trim();
            if (name !== "" && name !== capture.name) void rename(name);
          }}
        />
        <span className="quiet">{filesWords(capture.files.length, size)}</span>
        <TimeInCommon replicas={replicas} axis={axis} />
      </header>
      {replicas.map((replica) => (
        <ReplicaRow
          key={`${replica.role} ${replica.replica}`}
          replica={replica}
          axis={axis}
          editing={editing}
          onAddFile={onAddFile}
        />
      ))}
      {axis === null ? null : <AxisLabels axis={axis} />}
      {(complete ? missingRows(capture, replicas) : []).map((row) => (
        <MissingRow key={row.key} row={row} onAddFile={onAddFile} />
      ))}
      {rest.map((file) => (
        <RestRow key={file.id} file={file} />
      ))}
    </section>
  );
}

/** How long every replica is covered. */
function TimeInCommon({
  replicas,
  axis,
}: {
  replicas: readonly ReplicaFiles[];
  axis: CoverageAxis | null;
}): ReactNode {
  if (axis === null || replicas.length < 2) return null;
  if (axis.common === null) {
    return (
      <span className={styles.common}>
        <WarningIcon size={12} /> no time in common
      </span>
    );
  }
  return (
    <span className={styles.common}>
      <CheckIcon size={12} /> {durationText((axis.common[1] - axis.common[0]) * 1000)} in common
    </span>
  );
}

function filesWords(count: number, size: number): string {
  if (count === 0) return "";
  return `${count === 1 ? "1 file" : `${count} files`}, ${formatBytes(size)}`;
}
