import { type CSSProperties, type ReactNode, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import type { Capture, CaptureFile, Gap } from "xel-parser/contract";
import { correctFile, startAnalysis } from "../../data/captures-client.ts";
import { sentenceOf } from "../../data/problem.ts";
import { Button } from "../../ui/controls.tsx";
import { formatBytes, formatCount } from "../../ui/words.ts";
import { WarningIcon } from "../frame/icons.tsx";
import { Page } from "../frame/page.tsx";
import "./captures.css";

interface Props {
  readonly capture: Capture;
  readonly onOpen: () => void;
  /** A file was left out and the analysis runs again. */
  readonly onChanged: () => void;
}

const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];

/** Files with gaps: where, what was lost, and the choice to go on with them or without. */
export function DamageScreen({ capture, onOpen, onChanged }: Props): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  const files = capture.files.filter((file) => file.kind === "xel" && file.role !== "ignored");
  const damaged = files.filter((file) => file.gaps.length > 0);
  const single = damaged.length === 1;
  const leaveOut = async (): Promise<void> => {
    try {
      await Promise.all(damaged.map((file) => correctFile(capture.id, file.id, { role: "ignored" })));
      await startAnalysis(capture.id);
      onChanged();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <Page
      title={capture.name}
      what={<b>{capture.name}</b>}
      actions={<Button onClick={() => navigate("/")}>All captures</Button>}
    >
      <div className="state">
        <div className="damage-head">
          <WarningIcon size={24} />
          <div>
            <h1>{titleOf(damaged.length, files.length)}</h1>
            <p className="lead">{damaged.map(lostWords).join(" ")}</p>
          </div>
        </div>
        {damaged.map((file) => (
          <DamagedFile key={file.id} file={file} />
        ))}
        {problem === null ? null : (
          <p className="notice" role="alert">
            {problem}
          </p>
        )}
        <div className="row">
          <Button kind="primary" size="large" onClick={onOpen}>
            Open the capture with {single ? "this gap" : "these gaps"}
          </Button>
          {damaged.length < files.length ? (
            <Button size="large" onClick={() => void leaveOut()}>
              Leave {single ? "this file" : "these files"} out
            </Button>
          ) : null}
          <Button
            kind="quiet"
            size="large"
            className="end"
            onClick={() => void navigator.clipboard.writeText(reportOf(damaged))}
          >
            Copy report
          </Button>
        </div>
        <p className="quiet">
          The gap stays hatched on every chart. A file is often cut when it is copied while the session runs:
          stop the session first, or copy it again.
        </p>
      </div>
    </Page>
  );
}

function titleOf(damaged: number, all: number): string {
  const count = NUMBERS[damaged] ?? formatCount(damaged);
  const of = (NUMBERS[all] ?? formatCount(all)).toLowerCase();
  if (all === 1) return "The file is damaged. What could be read is usable.";
  return `${count} of ${of} files ${damaged === 1 ? "is" : "are"} damaged. The rest is usable.`;
}

function lostBytes(file: CaptureFile): number {
  return file.gaps.reduce((sum, gap) => sum + gap.bytes, 0);
}

function lostWords(file: CaptureFile): string {
  const read = formatBytes(Math.max(0, file.size - lostBytes(file)));
  return `${file.name} (${file.replica}): ${read} of ${formatBytes(file.size)} could be read, ${formatCount(file.events)} events.`;
}

function hex(offset: number): string {
  return `0x${offset.toString(16).toUpperCase().padStart(8, "0")}`;
}

function DamagedFile({ file }: { file: CaptureFile }): ReactNode {
  const place = (from: number, bytes: number): CSSProperties => ({
    left: `${(100 * from) / file.size}%`,
    width: `${(100 * bytes) / file.size}%`,
  });
  return (
    <section className="card damaged" aria-label={file.name}>
      <p>
        <b className="mono">{file.name}</b>{" "}
        <span className="quiet">
          {file.replica}, {file.role}
        </span>
      </p>
      <div className={`file-bar ${file.role}`} aria-hidden="true">
        {file.gaps.map((gap) => (
          <span key={gap.offset}>
            <i className="lost" style={place(gap.offset, gap.bytes)} />
            <i className="cut" style={{ left: `${(100 * gap.offset) / file.size}%` }} />
          </span>
        ))}
      </div>
      <p className="file-ends quiet">
        <span>0, read: {formatCount(file.events)} events</span>
        <span>
          {formatBytes(lostBytes(file))} not readable, {formatBytes(file.size)}
        </span>
      </p>
      {file.gaps.map((gap) => (
        <GapFacts key={gap.offset} gap={gap} />
      ))}
    </section>
  );
}

function GapFacts({ gap }: { gap: Gap }): ReactNode {
  return (
    <dl className="facts">
      <dt>What is wrong</dt>
      <dd>{gap.message}</dd>
      <dt>Where</dt>
      <dd>
        byte offset {formatCount(gap.offset)} <span className="mono quiet">({hex(gap.offset)})</span>
      </dd>
      <dt>What was lost</dt>
      <dd>{formatBytes(gap.bytes)} of events. Blocks of that time have no stages on this replica.</dd>
    </dl>
  );
}

function reportOf(files: readonly CaptureFile[]): string {
  return files
    .map((file) =>
      [
        lostWords(file),
        ...file.gaps.map(
          (gap) => `  offset ${gap.offset} (${hex(gap.offset)}), ${gap.bytes} bytes: ${gap.message}`,
        ),
      ].join("\n"),
    )
    .join("\n");
}
