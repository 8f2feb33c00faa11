import type { CSSProperties, ReactNode } from "react";
import type { Capture, CaptureFile, FileCorrection } from "@aglens/contract";
import { Button, Chip } from "../../ui/controls.tsx";
import { durationText, formatBytes, formatCount } from "../../ui/words.ts";
import { CheckIcon, WarningIcon } from "../../frame/icons.tsx";
import { byReplica, coverage, missingReplicas, type ReplicaFiles, time, useDraft } from "./draft.ts";
import { fileOf, rangeWords, rolloverWords } from "./files-words.ts";

type Axis = NonNullable<ReturnType<typeof coverage>>;

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
  const axis = coverage(replicas);
  const rest = capture.files.filter((file) => file.kind !== "xel" || file.role === "ignored");
  const size = capture.files.reduce((sum, file) => sum + file.size, 0);
  return (
    <section className="card capture-card" aria-label="Recognised files">
      <header className="capture-head">
        <input
          className="capture-name"
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
        <Common replicas={replicas} axis={axis} />
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

function Common({ replicas, axis }: { replicas: readonly ReplicaFiles[]; axis: Axis | null }): ReactNode {
  if (axis === null || replicas.length < 2) return null;
  if (axis.common === null) {
    return (
      <span className="common">
        <WarningIcon size={12} /> no time in common
      </span>
    );
  }
  return (
    <span className="common">
      <CheckIcon size={12} /> {durationText((axis.common[1] - axis.common[0]) * 1000)} in common
    </span>
  );
}

function ReplicaRow({
  replica,
  axis,
  editing,
  onAddFile,
}: {
  replica: ReplicaFiles;
  axis: Axis | null;
  editing: boolean;
  onAddFile: Props["onAddFile"];
}): ReactNode {
  return (
    <div className="replica-row">
      <div className="replica-name">
        <b title={replica.id ?? replica.name}>{replicaName(replica.name)}</b>
        <Chip place={replica.role}>{replica.role === "primary" ? "Primary" : "Secondary"}</Chip>
      </div>
      <div className="replica-files">
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
      </div>
      <div className="replica-events">
        <b>{formatCount(replica.events)}</b>
        <span>events</span>
        {editing ? (
          <Button
            kind="quiet"
            aria-label={`Add file to ${replica.name}`}
            onClick={() => onAddFile({ role: replica.role, replica: replica.replica })}
          >
            Add file
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** All files of a replica in one line, and what is damaged in them. */
function FilesLine({ replica }: { replica: ReplicaFiles }): ReactNode {
  const [first] = replica.files;
  const single = replica.files.length === 1;
  return (
    <>
      <div className="file-line" title={replica.files.map((file) => file.name).join("\n")}>
        <span className="file-name">{single ? first.name : rolloverWords(replica)}</span>
        <span className="quiet">{rangeWords(replica.files)}</span>
      </div>
      {replica.files.flatMap((file) =>
        file.gaps.map((gap) => (
          <p key={`${file.id} ${gap.offset}`} className="notice">
            <WarningIcon /> {single ? gap.message : `${fileOf(replica, file)}: ${gap.message}`}
          </p>
        )),
      )}
    </>
  );
}

/** One file: name, time, evidence, and the two things that can be corrected. */
function FileLine({ file }: { file: CaptureFile }): ReactNode {
  const { correct, remove } = useDraft();
  return (
    <li>
      <div className="file-line">
        <span className="file-name" title={file.name}>
          {file.name}
        </span>
        <span className="quiet">{rangeWords([file])}</span>
      </div>
      <div className="file-line corrections">
        <span className="file-evidence" title={file.evidence}>
          {file.evidence === "" ? "Role not known from the events" : file.evidence}
          {file.role !== file.detectedRole && file.detectedRole !== "unknown"
            ? ` (detected: ${file.detectedRole})`
            : ""}
        </span>
        <select
          aria-label={`Role of ${file.name}`}
          value={file.role}
          onChange={(event) => void correct(file.id, { role: event.target.value as CaptureFile["role"] })}
        >
          <option value="primary">Primary</option>
          <option value="secondary">Secondary</option>
          <option value="ignored">Leave out</option>
        </select>
        <input
          aria-label={`Replica of ${file.name}`}
          key={file.replica}
          defaultValue={file.replica}
          maxLength={128}
          onBlur={(event) => {
            const replica = event.target.value.trim();
            if (replica !== "" && replica !== file.replica) void correct(file.id, { replica });
          }}
        />
        <Button kind="quiet" aria-label={`Remove ${file.name}`} onClick={() => void remove(file.id)}>
          Remove
        </Button>
      </div>
      {file.gaps.map((gap) => (
        <p key={gap.offset} className="notice">
          <WarningIcon /> {gap.message}
        </p>
      ))}
    </li>
  );
}

/** Files of a replica on the axis of all: what every replica covers is solid, the rest pale. */
function CoverageBar({ replica, axis }: { replica: ReplicaFiles; axis: Axis }): ReactNode {
  const span = Math.max(1, axis.to - axis.from);
  const place = (from: number, to: number): CSSProperties => ({
    left: `${(100 * (from - axis.from)) / span}%`,
    width: `${(100 * Math.max(0, to - from)) / span}%`,
  });
  return (
    <div className={`coverage ${replica.role}`} aria-hidden="true">
      {replica.files.map((file) => {
        const from = time(file.from);
        const to = time(file.to);
        if (from === null || to === null) return null;
        const solid =
          axis.common === null ? null : [Math.max(from, axis.common[0]), Math.min(to, axis.common[1])];
        return (
          <span key={file.id}>
            <i className="pale" style={place(from, to)} />
            {solid === null || solid[0] >= solid[1] ? null : (
              <i className="solid" style={place(solid[0], solid[1])} />
            )}
          </span>
        );
      })}
    </div>
  );
}

function AxisLabels({ axis }: { axis: Axis }): ReactNode {
  const span = Math.max(1, axis.to - axis.from);
  const ends =
    axis.common === null
      ? []
      : axis.common.filter((at) => (at - axis.from) / span > 0.1 && (axis.to - at) / span > 0.1);
  return (
    <div className="axis-labels" aria-hidden="true">
      <span>{clock(axis.from)}</span>
      {ends.map((at) => (
        <span key={at} className="inner" style={{ left: `${(100 * (at - axis.from)) / span}%` }}>
          {clock(at)}
        </span>
      ))}
      <span>{clock(axis.to)}</span>
    </div>
  );
}

function filesWords(count: number, size: number): string {
  if (count === 0) return "";
  return `${count === 1 ? "1 file" : `${count} files`}, ${formatBytes(size)}`;
}

interface MissingFile {
  readonly key: string;
  readonly role: "primary" | "secondary";
  readonly name: string;
  readonly words: string;
}

/** Replicas of which there is no file: the ones the events name, or the side that is not there at all. */
function missingRows(capture: Capture, replicas: readonly ReplicaFiles[]): MissingFile[] {
  if (replicas.length === 0) return [];
  if (replicas.every(({ role }) => role !== "primary")) {
    const words =
      "No file of the primary. Without it there are no commits and no sends, only what the secondary did.";
    return [{ key: "primary", role: "primary", name: "Primary", words }];
  }
  const named = missingReplicas(capture.files);
  if (named.length === 0 && replicas.every(({ role }) => role !== "secondary")) {
    return [{ key: "secondary", role: "secondary", name: "Secondary", words: NO_SECONDARY }];
  }
  return named.map(({ id, name }) => ({ key: id, role: "secondary", name, words: wordsFor(replicas) }));
}

const ADD_LATER = "Without its file the network and its disk appear as one bar. Add it any time.";
const NO_SECONDARY = `No file of a secondary. ${ADD_LATER}`;

function wordsFor(replicas: readonly ReplicaFiles[]): string {
  const others = replicas.filter(({ role }) => role === "secondary").length;
  return others === 0 ? NO_SECONDARY : `The primary sends to this replica too. ${ADD_LATER}`;
}

function MissingRow({ row, onAddFile }: { row: MissingFile; onAddFile: Props["onAddFile"] }): ReactNode {
  return (
    <div className="replica-row missing">
      <div className="replica-name">
        <b title={row.key}>{row.name}</b>
        <Chip dashed>{row.role === "secondary" ? "Secondary, no file" : "Primary, no file"}</Chip>
      </div>
      <p className="notice">
        <WarningIcon /> {row.words}
      </p>
      <Button aria-label={`Add file of ${row.name}`} onClick={() => onAddFile({ role: row.role })}>
        Add file
      </Button>
    </div>
  );
}

/** Files that take no part: unreadable, left out, or only names. */
function RestRow({ file }: { file: CaptureFile }): ReactNode {
  const { correct, remove } = useDraft();
  const unreadable = file.kind === "unreadable";
  return (
    <div className={`rest-row${unreadable ? " unreadable" : ""}`}>
      {unreadable ? <WarningIcon /> : <CheckIcon />}
      <p role={unreadable ? "alert" : undefined}>
        <span className="mono">{file.name}</span> {restWords(file)}
      </p>
      {file.kind === "xel" ? (
        <Button
          onClick={() =>
            void correct(file.id, { role: file.detectedRole === "secondary" ? "secondary" : "primary" })
          }
        >
          Use it
        </Button>
      ) : null}
      <Button kind="quiet" aria-label={`Remove ${file.name}`} onClick={() => void remove(file.id)}>
        Remove
      </Button>
    </div>
  );
}

function restWords(file: CaptureFile): string {
  if (file.kind === "topology") return "adds the names of replicas and databases.";
  if (file.kind === "unreadable") return file.message ?? "cannot be read.";
  return "is left out.";
}

/** A replica that only has its GUID goes by the first part of it; the whole is in the tooltip. */
function replicaName(replica: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/iu.test(replica) ? `Replica ${replica.slice(0, 8)}` : replica;
}

function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
