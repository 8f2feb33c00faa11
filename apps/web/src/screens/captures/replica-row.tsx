import { Fragment, type ReactNode } from "react";
import type { CaptureFile, FileCorrection } from "@aglens/contract";
import { Notice } from "../../frame/notice.tsx";
import { Button, Chip } from "../../ui/controls.tsx";
import { formatCount } from "../../ui/words.ts";
import { type CoverageAxis, CoverageBar } from "./progress/coverage-bar.tsx";
import { droppedText, unclaimedText } from "./replica-row-text.ts";
import { useDraft } from "./sending/draft.ts";
import { fileOf, rangeText, rolloverText } from "./files-text.ts";
import type { RoleStep, ServerFiles } from "./capture-groups.ts";
import type { ReplicaFiles } from "./replica-files.ts";
import { useReaderZone } from "../../frame/use-reader-zone.ts";
import { capturesTexts as texts } from "../../messages/captures.ts";
import styles from "./capture-card.module.css";

interface Props {
  readonly replica: ServerFiles;
  /** Null where no file has a time. */
  readonly axis: CoverageAxis | null;
  /** Each file has a line of its own with what can be corrected about it. */
  readonly editing: boolean;
  readonly onAddFile: (as: FileCorrection) => void;
  /** Opens the corrections; null where they are open, or nothing can be corrected. */
  readonly onEdit: (() => void) | null;
}

/** One replica: its name, the time its files cover, its events. */
export function ReplicaRow({ replica, axis, editing, onAddFile, onEdit }: Props): ReactNode {
  return (
    <div className={styles.replicaRow}>
      <b className={styles.replicaName} title={replica.id ?? replica.name}>
        {replicaName(replica.name)}
      </b>
      <RoleChips steps={replica.roleSteps} />
      <div className={styles.replicaFiles}>
        {axis === null ? null : <CoverageBar replica={replica} axis={axis} />}
        {editing ? (
          <ul>
            {replica.files.map((file) => (
              <FileLine key={file.id} file={file} />
            ))}
          </ul>
        ) : (
          <FilesLine replica={replica} />
        )}
        {replica.nameFrom === "remembered" ? <RememberedName of={replica.name} onEdit={onEdit} /> : null}
      </div>
      <div className={styles.replicaEvents}>
        <span>{texts.eventsPart(<b>{formatCount(replica.events)}</b>)}</span>
        {editing ? (
          <Button
            kind="quiet"
            aria-label={texts.addFileTo(replica.name)}
            onClick={() => onAddFile({ role: replica.role, replica: replica.replica })}
          >
            {texts.addFile}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** Notice that no file of the capture contains the name, with a link to change it. */
function RememberedName({
  of,
  onEdit,
}: {
  readonly of: string;
  readonly onEdit: Props["onEdit"];
}): ReactNode {
  return (
    <div className="quiet text-small">
      {texts.nameRememberedFromAnother}{" "}
      {onEdit === null ? null : (
        <button type="button" className={styles.change} aria-label={texts.changeTheName(of)} onClick={onEdit}>
          {texts.change}
        </button>
      )}
    </div>
  );
}

/** The roles that a server had: "Primary, then Secondary", or each with its databases where it had both at once. */
export function RoleChips({ steps }: { readonly steps: readonly RoleStep[] }): ReactNode {
  return (
    <span className={styles.roles}>
      {steps.map(({ role, of }, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- a role may come back, its place is all that it has
        <Fragment key={i}>
          {i === 0 || of !== null ? null : (
            <>
              <span aria-hidden="true">→</span>
              <span className="sr-only">{texts.thenPart}</span>
            </>
          )}
          <Chip place={role}>
            {texts.roleOfReplica(role === "primary", of === null ? "" : texts.ofPart(of))}
          </Chip>
        </Fragment>
      ))}
    </span>
  );
}

/** All files of a replica in one line, and what is damaged in them. */
function FilesLine({ replica }: { replica: ReplicaFiles }): ReactNode {
  const zone = useReaderZone();
  const single = replica.files.length === 1;
  return (
    <>
      <div className="quiet text-small" title={replica.files.map((file) => file.name).join("\n")}>
        {rolloverText(replica)}, {rangeText(replica.files, zone)}
      </div>
      <DroppedLine files={replica.files} />
      {replica.files.flatMap((file) =>
        file.gaps.map((gap) => (
          <Notice key={`${file.id} ${gap.offset}`}>
            {single ? gap.message : `${fileOf(replica, file)}: ${gap.message}`}
          </Notice>
        )),
      )}
      {replica.files.map((file) => (
        <UnclaimedNotice key={file.id} file={file} of={single ? "" : `${fileOf(replica, file)}: `} />
      ))}
    </>
  );
}

/** One file: name, time, evidence, and the two things that can be corrected. */
export function FileLine({ file }: { file: CaptureFile }): ReactNode {
  const zone = useReaderZone();
  const { correct, remove } = useDraft();
  return (
    <li>
      <div className={styles.fileLine}>
        <span className={styles.fileName} title={file.name}>
          {file.name}
        </span>
        <span className={`quiet ${styles.fileTime}`}>{rangeText([file], zone)}</span>
      </div>
      <div className={styles.fileLine}>
        <span className="narrows truncate quiet text-small" title={file.evidence}>
          {file.evidence === "" ? texts.roleNotKnown : file.evidence}
          {file.role !== file.detectedRole && file.detectedRole !== "unknown"
            ? texts.detected(file.detectedRole)
            : ""}
        </span>
        <select
          className="rigid pushed"
          aria-label={texts.roleOf(file.name)}
          value={file.role}
          onChange={(event) => void correct(file.id, { role: event.target.value as CaptureFile["role"] })}
        >
          <option value="primary">{texts.primary}</option>
          <option value="secondary">{texts.secondary}</option>
          <option value="ignored">{texts.leaveOut}</option>
        </select>
        <input
          aria-label={texts.replicaOf(file.name)}
          key={file.replica}
          defaultValue={file.replica}
          maxLength={128}
          onBlur={(event) => {
            const replica = event.target.value.trim();
            if (replica !== "" && replica !== file.replica) void correct(file.id, { replica });
          }}
        />
        <Button kind="quiet" aria-label={texts.remove(file.name)} onClick={() => void remove([file.id])}>
          {texts.removeLabel}
        </Button>
      </div>
      <DroppedLine files={[file]} />
      {file.gaps.map((gap) => (
        <Notice key={gap.offset}>{gap.message}</Notice>
      ))}
      <UnclaimedNotice file={file} />
    </li>
  );
}

/** That the values of a file may be wrong. @param of which one of several it is */
function UnclaimedNotice({ file, of = "" }: { readonly file: CaptureFile; readonly of?: string }): ReactNode {
  const words = unclaimedText(file);
  return words === null ? null : (
    <Notice>
      {of}
      {words}
    </Notice>
  );
}

/** Line on the data that was dropped from files when they were received. */
function DroppedLine({ files }: { readonly files: readonly CaptureFile[] }): ReactNode {
  const words = droppedText(files);
  return words === null ? null : <div className={`quiet ${styles.dropped}`}>{words}</div>;
}

/** A replica with only a GUID is shown with the first part of it; the complete GUID is in the tooltip. */
function replicaName(replica: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/iu.test(replica) ? texts.replica(replica.slice(0, 8)) : replica;
}
