import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type { BinWindow, BlockWindow, Capture, Progress } from "@aglens/contract";
import { MinimapPicture } from "../../charts/minimap-picture.tsx";
import { PictureAxis } from "../../charts/picture-axis.tsx";
import { rateSteps, type ReadPoints, withReport } from "../../charts/reading/read-rates.ts";
import { ReadingPicture, type ReadRow } from "../../charts/reading/reading-picture.tsx";
import { cancelAnalysis, previewOfCapture, watchProgress } from "../../data/captures-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { Button, Chip } from "../../ui/controls.tsx";
import { formatBytes, formatCount } from "../../ui/words.ts";
import { CheckIcon } from "../../frame/icons.tsx";
import { Page } from "../../frame/page.tsx";
import { CaptureTitle } from "./capture-title.tsx";
import { isNamed } from "./files-words.ts";
import { remainingWords } from "./remaining.ts";
import { byReplica, coverage, type ReplicaFiles, time } from "./draft.ts";
import "../../frame/captures.css";

interface Props {
  readonly capture: Capture;
  /** The analysis ended, well or not: the capture tells how. */
  readonly onDone: () => void;
  readonly onCancelled: () => void;
}

const STEPS: readonly { phase: Progress["phase"]; words: string; now: string }[] = [
  { phase: "decode", words: "Decode events", now: "decoding events" },
  { phase: "roles", words: "Find roles and replicas", now: "finding roles and replicas" },
  { phase: "join", words: "Join log blocks", now: "joining log blocks" },
  { phase: "align", words: "Align clocks", now: "aligning clocks" },
  { phase: "measure", words: "Measure stages", now: "measuring stages" },
  { phase: "verdict", words: "Verdict", now: "finding the verdict" },
  { phase: "store", words: "Store", now: "storing the tables" },
];
const ORDER: readonly Progress["phase"][] = ["receiving", ...STEPS.map((step) => step.phase), "done"];

/** The analysis while it runs: how far each replica's files are read, which steps are done, and a way out. */
export function ProgressScreen({ capture, onDone, onCancelled }: Props): ReactNode {
  const [progress, setProgress] = useState<Progress | null>(capture.progress);
  const [points, setPoints] = useState<ReadPoints>(() =>
    withReport(new Map(), capture.progress?.files ?? []),
  );
  const done = useRef(onDone);
  const rate = useRate(progress?.bytesDone ?? null);
  useEffect(() => {
    done.current = onDone;
  });
  useEffect(
    () =>
      watchProgress(capture.id, {
        onProgress: (told) => {
          setProgress(told);
          setPoints((before) => withReport(before, told.files));
        },
        onReady: () => done.current(),
        onFailed: () => done.current(),
      }),
    [capture.id],
  );
  const cancel = useCommand(async () => {
    await cancelAnalysis(capture.id);
    onCancelled();
  });
  const phase = progress?.phase ?? "receiving";
  // From here on the analysis has a picture, though not yet a verdict.
  const hasPicture = phase === "verdict" || phase === "store";
  const preview = useAnswer(hasPicture ? previewOfCapture(capture.id) : null).value;
  const headline = headlineOf(capture, progress, rate);
  return (
    <Page
      title={capture.name}
      what={<CaptureTitle capture={capture} />}
      actions={<Button onClick={() => cancel.run()}>Cancel</Button>}
    >
      <div className="state">
        <h1>{headline}</h1>
        <p className="lead">
          You can close this page; the analysis goes on, and the capture is in the list when you come back.
        </p>
        <output className="sr-only">{phaseWords(phase)}</output>
        <Problem sentence={cancel.error} />
        <FirstPicture capture={capture} progress={progress} points={points} preview={preview} />
        <div className="progress-rows">
          {byReplica(capture.files).map((replica) => (
            <ReplicaProgress
              key={`${replica.role} ${replica.replica}`}
              replica={replica}
              progress={progress}
            />
          ))}
        </div>
        <ol className="steps">
          {STEPS.map((step) => (
            <Step key={step.phase} words={stepWords(step, progress)} state={stepState(step.phase, phase)} />
          ))}
        </ol>
        <p className="quiet">The files are read on this server. Nothing is sent to another place.</p>
      </div>
    </Page>
  );
}

const PICTURE_PX = 72;

/**
 * What can be seen before the verdict: events per second while files are read, then the slowest block per pixel. Both
 * have the same place and size, so that nothing moves under the reader.
 */
function FirstPicture({
  capture,
  progress,
  points,
  preview,
}: {
  capture: Capture;
  progress: Progress | null;
  points: ReadPoints;
  preview: BinWindow | BlockWindow | null;
}): ReactNode {
  const replicas = useMemo(() => byReplica(capture.files), [capture]);
  const axis = useMemo(() => coverage(replicas), [replicas]);
  const rows = useMemo(() => readRows(replicas, points, progress), [replicas, points, progress]);
  if (preview !== null) {
    return (
      <figure className="card first-picture">
        <MinimapPicture
          window={preview}
          height={PICTURE_PX}
          label="The capture at a glance: the slowest block per column, coloured by its largest stage."
        />
        <PictureAxis durationUs={preview.to - preview.from} />
        <figcaption>
          The first picture is already real: slowest block per pixel, coloured by its largest stage
        </figcaption>
      </figure>
    );
  }
  if (axis === null) return null;
  const most = Math.max(0, ...rows.flatMap(({ steps }) => steps.map(({ perSecond }) => perSecond)));
  return (
    <figure className="card first-picture">
      <ReadingPicture
        from={axis.from}
        to={axis.to}
        rows={rows}
        height={PICTURE_PX}
        label="Events per second of what has been read so far, a row per replica; the rest is hatched."
      />
      <PictureAxis durationUs={(axis.to - axis.from) * 1000} />
      <figcaption>
        Events per second of what is read so far, as square roots
        {most === 0 ? "" : `; at most ${formatCount(Math.round(most))}`}. Hatched is still to be read
      </figcaption>
    </figure>
  );
}

function readRows(
  replicas: readonly ReplicaFiles[],
  points: ReadPoints,
  progress: Progress | null,
): ReadRow[] {
  const told = new Map((progress?.files ?? []).map((file) => [file.id, file]));
  return replicas.map(({ name, role, replica, files }) => ({
    key: `${role} ${replica}`,
    name,
    role,
    steps: files.flatMap((file) => rateSteps(points.get(file.id) ?? [], time(file.from) ?? Number.NaN)),
    readTo: files.flatMap((file) => {
      const last = points.get(file.id)?.at(-1);
      return last === undefined || (told.get(file.id)?.bytesDone ?? 0) >= file.size ? [] : [last.at];
    }),
  }));
}

function ReplicaProgress({
  replica,
  progress,
}: {
  replica: ReplicaFiles;
  progress: Progress | null;
}): ReactNode {
  const ids = new Set(replica.files.map((file) => file.id));
  const own = (progress?.files ?? []).filter((file) => ids.has(file.id));
  const size = replica.files.reduce((sum, file) => sum + file.size, 0);
  const read = own.reduce((sum, file) => sum + file.bytesDone, 0);
  const events = own.reduce((sum, file) => sum + file.events, 0);
  const rate = useRate(own.length === 0 || read >= size ? null : read);
  const figures = [
    ...(rate === null || read >= size ? [] : [`${formatBytes(rate)}/s`]),
    `${formatCount(events)} events`,
  ];
  return (
    <div className="progress-row">
      <div>
        <Chip place={replica.role}>{replica.role === "primary" ? "Primary" : "Secondary"}</Chip>{" "}
        {isNamed(replica) ? <b>{replica.name}</b> : null}
        <p className="quiet">
          {replica.files.length === 1 ? replica.files[0].name : `${replica.files.length} rollover files`}
        </p>
      </div>
      <progress
        className={replica.role}
        max={Math.max(1, size)}
        value={read}
        aria-label={`${replica.name} read`}
      />
      <div className="progress-figures">
        <b>{formatBytes(read)}</b> of {formatBytes(size)}
        <p className="quiet">{figures.join(", ")}</p>
      </div>
    </div>
  );
}

function Step({ words, state }: { words: string; state: "done" | "now" | "later" }): ReactNode {
  return (
    <li className={state} aria-current={state === "now" ? "step" : undefined}>
      {state === "done" ? <CheckIcon size={12} /> : <span className="step-mark" aria-hidden="true" />}
      {words}
    </li>
  );
}

function stepState(step: Progress["phase"], now: Progress["phase"]): "done" | "now" | "later" {
  const difference = ORDER.indexOf(step) - ORDER.indexOf(now);
  if (difference < 0) return "done";
  return difference === 0 ? "now" : "later";
}

function stepWords(step: (typeof STEPS)[number], progress: Progress | null): string {
  if (step.phase === "join" && progress !== null && progress.blocks > 0)
    return `${step.words}, ${formatCount(progress.blocks)}`;
  return step.words;
}

function phaseWords(phase: Progress["phase"]): string {
  return STEPS.find((step) => step.phase === phase)?.now ?? "waiting for a free worker";
}

function headlineOf(capture: Capture, progress: Progress | null, rate: number | null): string {
  const files = capture.files.filter((file) => file.kind === "xel" && file.role !== "ignored").length;
  const what = files === 1 ? "Reading 1 file" : `Reading ${files} files`;
  if (progress === null || progress.bytesTotal === 0) return what;
  if (progress.bytesDone >= progress.bytesTotal)
    return `${files === 1 ? "The file is" : `All ${files} files are`} read, ${phaseWords(progress.phase)}`;
  const share = Math.floor((100 * progress.bytesDone) / progress.bytesTotal);
  const left =
    rate === null ? "" : `, ${remainingWords((progress.bytesTotal - progress.bytesDone) / rate)} left`;
  return `${what}, ${share}\u2009% done${left}`;
}

/** Bytes per second since the first report; null until a second has passed. */
function useRate(bytes: number | null): number | null {
  const start = useRef<{ at: number; bytes: number } | null>(null);
  const [rate, setRate] = useState<number | null>(null);
  useEffect(() => {
    if (bytes === null) return;
    start.current ??= { at: performance.now(), bytes };
    const seconds = (performance.now() - start.current.at) / 1000;
    if (seconds >= 1) setRate(Math.max(1, (bytes - start.current.bytes) / seconds));
  }, [bytes]);
  return rate;
}
