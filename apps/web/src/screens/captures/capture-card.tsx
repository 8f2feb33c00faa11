import type { ReactNode } from "react";
import type { Capture, FileCorrection } from "@aglens/contract";
import { WarningIcon } from "../../frame/icons.tsx";
import { Notice } from "../../frame/notice.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { durationText } from "../../ui/words.ts";
import { failoverText, type GroupFiles, restOf } from "./capture-groups.ts";
import type { CoverageAxis } from "./progress/coverage-bar.tsx";
import { useDraft } from "./sending/draft.ts";
import { MissingRow, missingRows } from "./sending/missing-row.tsx";
import { coverageOf, type ReplicaFiles } from "./replica-files.ts";
import { ReplicaRow } from "./replica-row.tsx";
import { NamesRow, RestRow, UnreadableRow, unreadableRows } from "./rest-row.tsx";
import styles from "./capture-card.module.css";

/** The servers' UTC clocks differ, so their common time is not known before the analysis. */
const UTC_APART = "grouping.utcApart";

interface Props {
  readonly files: GroupFiles;
  /** The name can be changed: it is the only capture of the upload. */
  readonly capture: Capture | null;
  /** Each file has a line of its own with what can be corrected about it. */
  readonly editing: boolean;
  readonly onAddFile: (as?: FileCorrection) => void;
  readonly onEdit: () => void;
}

/** Props of the same card during the analysis, when nothing of the capture can be changed. */
interface AnalyzedProps {
  readonly files: GroupFiles;
  /** How far the analysis is. */
  readonly children: ReactNode;
}

/** A capture during its analysis: a row per server on one time axis, and the progress of the analysis. */
export function AnalyzedCard({ files, children }: AnalyzedProps): ReactNode {
  return (
    <section className={`card ${styles.card}`} aria-label={files.group.name}>
      <CardHead files={files} name={<h2 className={styles.title}>{files.group.name}</h2>} />
      <ServerRows files={files} editing={false} onAddFile={() => {}} onEdit={null} />
      {children}
    </section>
  );
}

/** One capture of an upload: a row per server on one time axis, replicas without a file, and notices. */
export function CaptureCard({ files, capture, editing, onAddFile, onEdit }: Props): ReactNode {
  // While files are being sent, it is not known which file is missing.
  const complete = useDraft((draft) => draft.uploads.every((upload) => upload.problem !== null));
  const { group, servers } = files;
  const name = <h2 className={styles.title}>{group.name}</h2>;
  return (
    <section
      className={`card ${styles.card}`}
      aria-label={capture === null ? group.name : texts.recognizedFiles}
    >
      <CardHead files={files} name={capture === null ? name : <CaptureName capture={capture} />} />
      {group.warnings.map(({ code, sentence, refuses }) => (
        <Notice key={`${code} ${sentence}`} {...(refuses ? { role: "alert" as const } : {})}>
          {sentence}
        </Notice>
      ))}
      <ServerRows files={files} editing={editing} onAddFile={onAddFile} onEdit={editing ? null : onEdit} />
      {failoverText(servers).map((words) => (
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

interface HeadProps {
  readonly files: GroupFiles;
  readonly name: ReactNode;
  /** Controls at the end. */
  readonly children?: ReactNode;
}

/** The capture's name, and the time that every server covers. */
export function CardHead({ files, name, children }: HeadProps): ReactNode {
  const { group, servers } = files;
  return (
    <header className={styles.head}>
      {name}
      {group.warnings.some(({ code }) => code === UTC_APART) ? null : (
        <TimeInCommon replicas={servers} axis={coverageOf(servers)} />
      )}
      {children}
    </header>
  );
}

interface ServerRowsProps extends Omit<Props, "capture" | "onEdit"> {
  readonly onEdit: (() => void) | null;
}

function ServerRows({ files, editing, onAddFile, onEdit }: ServerRowsProps): ReactNode {
  const axis = coverageOf(files.servers);
  return files.servers.map((server) => (
    <ReplicaRow
      key={`${server.role} ${server.replica}`}
      replica={server}
      axis={axis}
      editing={editing}
      onAddFile={onAddFile}
      onEdit={onEdit}
    />
  ));
}

/** Files of an upload that belong to no capture, or that only provide names. */
export function OtherFiles({ capture }: { readonly capture: Capture }): ReactNode {
  const rest = restOf(capture);
  if (rest.length === 0) return null;
  const onlyNames = rest.every(({ kind }) => kind === "topology");
  return (
    <section
      className={`card ${styles.card}`}
      aria-label={capture.groups.length === 0 ? texts.recognizedFiles : texts.otherFiles}
    >
      {onlyNames ? null : <h2 className={styles.title}>{texts.otherFiles}</h2>}
      <RestRows capture={capture} />
    </section>
  );
}

function RestRows({ capture }: { readonly capture: Capture }): ReactNode {
  const sentences = new Map(capture.unused.map(({ file, sentence }) => [file, sentence]));
  const {
    names = [],
    unreadable = [],
    others = [],
  } = Object.groupBy(restOf(capture), ({ id, kind }) => {
    if (sentences.has(id)) return "others";
    return kind === "topology" ? "names" : kind === "unreadable" ? "unreadable" : "others";
  });
  return (
    <>
      <NamesRow files={names} />
      {unreadableRows(unreadable).map(({ reason, files }) => (
        <UnreadableRow key={reason} reason={reason} files={files} />
      ))}
      {others.map((file) => (
        <RestRow key={file.id} file={file} unused={sentences.get(file.id) ?? null} />
      ))}
    </>
  );
}

/** The capture's name, as a field that renames it. */
export function CaptureName({ capture }: { readonly capture: Capture }): ReactNode {
  const rename = useDraft((draft) => draft.rename);
  return (
    <input
      className={styles.name}
      aria-label={texts.nameOfTheCapture}
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

/** The time that every replica covers. */
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
        <WarningIcon size={12} /> {texts.noTimeInCommon}
      </span>
    );
  }
  return (
    <span className={styles.common}>
      {texts.inCommon(durationText((axis.common[1] - axis.common[0]) * 1000))}
    </span>
  );
}
