import { type ChangeEvent, type CSSProperties, type ReactNode, useRef, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import type { Capture, CaptureFile, Gap } from "@aglens/contract";
import { correctFile, startAnalysis, uploadFile } from "../../data/captures-client.ts";
import { sentenceOf } from "../../data/problem.ts";
import { Button } from "../../ui/controls.tsx";
import { formatBytes, formatCount, formatPercent } from "../../ui/words.ts";
import { WarningIcon } from "../../frame/icons.tsx";
import { useCopy } from "../../frame/use-copy.ts";
import { Page } from "../../frame/page.tsx";
import { damagedFiles, effectWords, lossOf, lostWords, whereaboutsOf } from "./damage.ts";
import { CaptureTitle } from "./capture-title.tsx";
import { byReplica } from "./draft.ts";
import "../../frame/captures.css";

interface Props {
  readonly capture: Capture;
  readonly onOpen: () => void;
  /** A file was replaced or left out and the analysis runs again. */
  readonly onChanged: () => void;
}

const NUMBERS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine"];
/** Gaps of a file described one by one; a shredded file may have thousands. */
const GAPS_SHOWN = 4;

/** Files with gaps: where, what was lost, and the choice to go on with them, without them or with better copies. */
export function DamageScreen({ capture, onOpen, onChanged }: Props): ReactNode {
  const [notice, copy] = useCopy();
  const [said, setSaid] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const files = capture.files.filter((file) => file.kind === "xel" && file.role !== "ignored");
  const damaged = damagedFiles(capture);
  const single = damaged.length === 1 && damaged[0].gaps.length === 1;
  const guarded = async (work: () => Promise<unknown>): Promise<void> => {
    setProblem(null);
    try {
      await work();
      await startAnalysis(capture.id);
      onChanged();
    } catch (error) {
      setSaid(null);
      setProblem(sentenceOf(error));
    }
  };
  const leaveOut = (): Promise<void> =>
    guarded(() => Promise.all(damaged.map((file) => correctFile(capture.id, file.id, { role: "ignored" }))));
  const replace = (old: CaptureFile, copy: File): Promise<void> =>
    guarded(() => {
      const sent = (bytes: number): void => setSaid(sendingWords(copy, bytes));
      sent(0);
      return uploadFile(capture.id, copy, sent, new AbortController().signal, old.id);
    });
  return (
    <Page
      title={capture.name}
      what={<CaptureTitle capture={capture} />}
      actions={<Button onClick={() => navigate("/")}>All captures</Button>}
      notice={notice}
    >
      <div className="state">
        <div className="damage-head">
          <WarningIcon size={24} />
          <div>
            <h1>{titleOf(damaged.length, files.length)}</h1>
            <p className="lead">{damaged.map((file) => readWords(capture, file)).join(" ")}</p>
          </div>
        </div>
        {damaged.map((file) => (
          <DamagedFile key={file.id} capture={capture} file={file}>
            {damaged.length === 1 ? null : (
              <ReplaceButton
                file={file}
                disabled={said !== null}
                onFile={(copy) => void replace(file, copy)}
              />
            )}
          </DamagedFile>
        ))}
        {problem === null ? null : (
          <p className="notice" role="alert">
            <WarningIcon /> {problem}
          </p>
        )}
        <output className="quiet">{said}</output>
        <div className="row">
          <Button kind="primary" size="large" onClick={onOpen}>
            Open the capture with {single ? "this gap" : "these gaps"}
          </Button>
          {damaged.length === 1 ? (
            <ReplaceButton
              file={damaged[0]}
              size="large"
              disabled={said !== null}
              onFile={(copy) => void replace(damaged[0], copy)}
            />
          ) : null}
          {damaged.length < files.length ? (
            <Button size="large" disabled={said !== null} onClick={() => void leaveOut()}>
              Leave {damaged.length === 1 ? "this file" : "these files"} out
            </Button>
          ) : null}
          <Button
            kind="quiet"
            size="large"
            className="end"
            onClick={() => copy(reportOf(capture, damaged), "Report copied")}
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

function ReplaceButton({
  file,
  size = "small",
  disabled,
  onFile,
}: {
  file: CaptureFile;
  size?: "small" | "large";
  disabled: boolean;
  onFile: (copy: File) => void;
}): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const chosen = (event: ChangeEvent<HTMLInputElement>): void => {
    const [copy] = event.target.files ?? [];
    if (copy !== undefined) onFile(copy);
    event.target.value = "";
  };
  return (
    <>
      <Button size={size} disabled={disabled} onClick={() => input.current?.click()}>
        Replace this file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".xel,.zip"
        aria-label={`Better copy of ${file.name}`}
        onChange={chosen}
      />
    </>
  );
}

function sendingWords(copy: File, bytes: number): string {
  const share = copy.size === 0 ? 1 : bytes / copy.size;
  return share < 1 ? `Sending ${copy.name}, ${formatPercent(share)}` : `Reading ${copy.name}`;
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

function replicaName(capture: Capture, file: CaptureFile): string {
  const own = byReplica(capture.files).find(({ files }) => files.some(({ id }) => id === file.id));
  return own?.name ?? file.replica;
}

function readWords(capture: Capture, file: CaptureFile): string {
  const read = formatBytes(Math.max(0, file.size - lostBytes(file)));
  const all = formatBytes(file.size);
  const events = `${formatCount(file.events)} events`;
  const name = replicaName(capture, file);
  const whose = name.toLowerCase() === file.role ? `The ${file.role}'s file` : `A file of ${name}`;
  // What was never copied has no size: only what is there and cannot be read has one.
  return read === all
    ? `${whose} ends early, after ${events}.`
    : `${whose} could be read in part: ${read} of ${all}, ${events}.`;
}

function hex(offset: number): string {
  return `0x${offset.toString(16).toUpperCase().padStart(8, "0")}`;
}

function DamagedFile({
  capture,
  file,
  children,
}: {
  capture: Capture;
  file: CaptureFile;
  children: ReactNode;
}): ReactNode {
  const percent = (bytes: number): string => `${(100 * bytes) / Math.max(1, file.size)}%`;
  const place = (gap: Gap): CSSProperties => ({ left: percent(gap.offset), width: percent(gap.bytes) });
  const [first] = file.gaps;
  return (
    <section className="card damaged" aria-label={file.name}>
      <header className="damaged-head">
        <b className="mono">{file.name}</b> <span className="quiet">{whereaboutsOf(capture, file)}</span>
        {children}
      </header>
      <div className={`file-bar ${file.role}`} aria-hidden="true">
        {file.gaps.map((gap) => (
          <i key={gap.offset} className="lost" style={place(gap)} />
        ))}
        {file.gaps.map((gap) => (
          <i key={gap.offset} className="cut" style={{ "--at": percent(gap.offset) } as CSSProperties} />
        ))}
      </div>
      <div className="file-ends quiet">
        <span>0, read: {formatCount(file.events)} events</span>
        <span className="cut-at mono" style={{ "--at": percent(first.offset) } as CSSProperties}>
          {hex(first.offset)}
        </span>
        <span>
          {formatBytes(lostBytes(file))} not readable, {formatBytes(file.size)}
        </span>
      </div>
      {file.gaps.slice(0, GAPS_SHOWN).map((gap) => (
        <GapFacts key={gap.offset} capture={capture} file={file} gap={gap} />
      ))}
      {file.gaps.length > GAPS_SHOWN ? (
        <p className="quiet">
          and {formatCount(file.gaps.length - GAPS_SHOWN)} more gaps; the report names each
        </p>
      ) : null}
    </section>
  );
}

function GapFacts({ capture, file, gap }: { capture: Capture; file: CaptureFile; gap: Gap }): ReactNode {
  const loss = lossOf(capture, file, gap);
  return (
    <dl className="facts">
      <dt>What is wrong</dt>
      <dd>{gap.message}</dd>
      <dt>Where</dt>
      <dd>
        byte offset {formatCount(gap.offset)} <span className="mono quiet">({hex(gap.offset)})</span>
      </dd>
      <dt>Last good event</dt>
      <dd className="mono">
        {gap.before ? `${gap.before.name} ${gap.before.at.slice(11, -1)}` : "none in this file"}
      </dd>
      <dt>What was lost</dt>
      <dd>{lostWords(replicaName(capture, file), loss, gap.bytes)}</dd>
      <dt>Effect on the verdict</dt>
      <dd>{effectWords(file.role, loss)}</dd>
    </dl>
  );
}

function reportOf(capture: Capture, files: readonly CaptureFile[]): string {
  const gapLine = (gap: Gap): string =>
    `  offset ${gap.offset} (${hex(gap.offset)}), ${gap.bytes} bytes: ${gap.message}`;
  return files
    .map((file) => {
      const head = `${file.name} (${whereaboutsOf(capture, file)}). ${readWords(capture, file)}`;
      return [head, ...file.gaps.map(gapLine)].join("\n");
    })
    .join("\n");
}
