import { type ReactNode, useMemo } from "react";
import type { BinWindow, BlockWindow, Capture, Progress } from "@aglens/contract";
import { MinimapPicture } from "../../../charts/minimap-picture.tsx";
import { PictureAxis } from "../../../charts/picture-axis.tsx";
import { rateSteps, type ReadPoints } from "../../../charts/reading/read-rates.ts";
import { ReadingPicture, type ReadRow } from "../../../charts/reading/reading-picture.tsx";
import { progressTexts as texts } from "../../../messages/progress.ts";
import { formatCount } from "../../../ui/words.ts";
import { byReplica, coverageOf, type ReplicaFiles, unixMs } from "../replica-files.ts";
import styles from "./progress-screen.module.css";

const PICTURE_PX = 112;

interface Props {
  readonly capture: Capture;
  readonly progress: Progress | null;
  /** Events that have been read of each file so far. */
  readonly points: ReadPoints;
  /** The complete capture, once its blocks are joined. */
  readonly preview: BinWindow | BlockWindow | null;
}

/**
 * Picture before the verdict: events per second while files are read, then the slowest block per pixel. Both have the
 * same place and size, so that nothing moves while the user reads.
 */
export function FirstPicture({ capture, progress, points, preview }: Props): ReactNode {
  const replicas = useMemo(() => byReplica(capture.files), [capture]);
  const axis = useMemo(() => coverageOf(replicas), [replicas]);
  const rows = useMemo(() => readRows(replicas, points, progress), [replicas, points, progress]);
  if (preview !== null) {
    return (
      <figure className={`card ${styles.firstPicture}`}>
        <MinimapPicture window={preview} height={PICTURE_PX} label={texts.captureAtAGlance} />
        <PictureAxis durationUs={preview.to - preview.from} />
        <figcaption>{texts.firstPictureIsAlready}</figcaption>
      </figure>
    );
  }
  if (axis === null) return null;
  const most = Math.max(0, ...rows.flatMap(({ steps }) => steps.map(({ perSecond }) => perSecond)));
  return (
    <figure className={`card ${styles.firstPicture}`}>
      <ReadingPicture
        from={axis.from}
        to={axis.to}
        rows={rows}
        height={PICTURE_PX}
        label={texts.eventsPerSecondOf}
      />
      <PictureAxis durationUs={(axis.to - axis.from) * 1000} />
      <figcaption>
        {texts.eventsPerSecondOfWhat(most === 0 ? "" : texts.atMost(formatCount(Math.round(most))))}
      </figcaption>
    </figure>
  );
}

function readRows(
  replicas: readonly ReplicaFiles[],
  points: ReadPoints,
  progress: Progress | null,
): ReadRow[] {
  const reported = new Map((progress?.files ?? []).map((file) => [file.id, file]));
  return replicas.map(({ name, role, replica, files }) => ({
    key: `${role} ${replica}`,
    name,
    role,
    steps: files.flatMap((file) =>
      rateSteps(points.get(file.id) ?? [], { at: unixMs(file.from) ?? Number.NaN, events: 0 }),
    ),
    readTo: files.flatMap((file) => {
      const last = points.get(file.id)?.at(-1);
      return last === undefined || (reported.get(file.id)?.bytesDone ?? 0) >= file.size ? [] : [last.at];
    }),
  }));
}
