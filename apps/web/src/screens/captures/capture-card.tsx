import type { ReactNode } from "react";
import type { Capture, CaptureFile, FileCorrection } from "@aglens/contract";
import { CheckIcon, WarningIcon } from "../../frame/icons.tsx";
import { Notice } from "../../frame/notice.tsx";
import { durationText, formatBytes, unbroken } from "../../ui/words.ts";
import { failoverWords, type GroupFiles, restOf } from "./capture-groups.ts";
import { AxisLabels, type CoverageAxis } from "./progress/coverage-bar.tsx";
import { useDraft } from "./sending/draft.ts";
import { begunWords } from "./files-words.ts";
import { MissingRow, missingRows } from "./sending/missing-row.tsx";
import { coverageOf, type ReplicaFiles } from "./replica-files.ts";
import { ReplicaRow } from "./replica-row.tsx";
import { RestRow } from "./rest-row.tsx";
import styles from "./capture-card.module.css";

/** The servers' times are on UTC clocks that differ, so that nothing is known of what they have in common before the analysis. */
const UTC_APART = "grouping.utcApart";

interface Props {
  readonly files: GroupFiles;
  /** The name can be changed: it is the only capture of the upload. */
  readonly capture: Capture | null;
  /** Each file has a line of its own with what can be corrected about it. */
  readonly editing: boolean;
  readonly onAddFile: (as?: FileCorrection) => void;
}

/** One capture of an upload: a row per server on one time axis, replicas without a file, and what has to be known. */
export function CaptureCard({ files, capture, editing, onAddFile }: Props): ReactNode {
  // While files are on their way nobody can say which one is missing.
  const complete = useDraft((draft) => draft.uploads.every((upload) => upload.problem !== null));
  const { group, servers } = files;
  const axis = coverageOf(servers);
  const all = servers.flatMap((server) => server.files);
  return (
    <section className="card" aria-label={capture === null ? group.name : "Recognised files"}>
      <header className={styles.head}>
        {capture === null ? (
          <h2 className={styles.title}>{group.name}</h2>
        ) : (
          <CaptureName capture={capture} />
        )}
        <span className="quiet">{filesWords(all)}</span>
        {group.warnings.some(({ code }) => code === UTC_APART) ? null : (
          <TimeInCommon replicas={servers} axis={axis} />
        )}
      </header>
      {group.warnings.map(({ code, sentence, refuses }) => (
        <Notice key={`${code} ${sentence}`} {...(refuses ? { role: "alert" as const } : {})}>
          {sentence}
        </Notice>
      ))}
      {servers.map((server) => (
        <ReplicaRow
          key={`${server.role} ${server.replica}`}
          replica={server}
          axis={axis}
          editing={editing}
          onAddFile={onAddFile}
        />
      ))}
      {axis === null ? null : <AxisLabels axis={axis} />}
      {failoverWords(servers).map((words) => (
        <p key={words} className={styles.failover}>
          {words}
        </p>
      ))}
      {(complete ? missingRows(files) : []).map((row) => (
        <MissingRow key={row.key} row={row} onAddFile={onAddFile} />
      ))}
      {capture === null ? null : <RestRows capture={capture} />}
    </section>
  );
}

/** Files of an upload that are in no capture, or that only give names. */
export function OtherFiles({ capture }: { readonly capture: Capture }): ReactNode {
  if (restOf(capture).length === 0) return null;
  return (
    <section className="card" aria-label={capture.groups.length === 0 ? "Recognised files" : "Other files"}>
      <h2 className={styles.title}>Other files</h2>
      <RestRows capture={capture} />
    </section>
  );
}

function RestRows({ capture }: { readonly capture: Capture }): ReactNode {
  return restOf(capture).map((file) => (
    <RestRow
      key={file.id}
      file={file}
      unused={capture.unused.find((unused) => unused.file === file.id)?.sentence ?? null}
    />
  ));
}

function CaptureName({ capture }: { readonly capture: Capture }): ReactNode {
  const rename = useDraft((draft) => draft.rename);
  return (
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

function filesWords(files: readonly CaptureFile[]): string {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const words = [begunWords({ files: [...files] }), count, formatBytes(size)];
  return unbroken(words.filter((word) => word !== "").join(", "));
}
