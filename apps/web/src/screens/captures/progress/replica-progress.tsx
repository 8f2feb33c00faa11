import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Progress } from "@aglens/contract";
import { progressTexts as texts } from "../../../messages/progress.ts";
import { Chip } from "../../../ui/controls.tsx";
import { formatBytes, formatCount } from "../../../ui/words.ts";
import { isNamed } from "../files-text.ts";
import styles from "./progress-screen.module.css";
import type { ReplicaFiles } from "../replica-files.ts";

interface Props {
  readonly replica: ReplicaFiles;
  readonly progress: Progress | null;
}

/** How far the files of one replica have been read, and how fast. */
export function ReplicaProgress({ replica, progress }: Props): ReactNode {
  const [first, ...others] = replica.files;
  const ids = new Set(replica.files.map((file) => file.id));
  const own = (progress?.files ?? []).filter((file) => ids.has(file.id));
  const size = replica.files.reduce((sum, file) => sum + file.size, 0);
  const read = own.reduce((sum, file) => sum + file.bytesDone, 0);
  const events = own.reduce((sum, file) => sum + file.events, 0);
  const rate = useRate(own.length === 0 || read >= size ? null : read);
  const figures = [
    ...(rate === null || read >= size ? [] : [`${formatBytes(rate)}/s`]),
    texts.events(formatCount(events)),
  ];
  return (
    <div className={styles.row}>
      <div>
        <Chip place={replica.role}>{replica.role === "primary" ? texts.primary : texts.secondary}</Chip>{" "}
        {isNamed(replica) ? <b>{replica.name}</b> : null}
        <p className="quiet" title={others.length === 0 ? first?.name : undefined}>
          {others.length === 0 ? first?.name : texts.rolloverFiles(replica.files.length)}
        </p>
      </div>
      <progress
        className={replica.role}
        max={Math.max(1, size)}
        value={read}
        aria-label={texts.read(replica.name)}
      />
      <div className={styles.figures}>
        {texts.of(<b className="ink">{formatBytes(read)}</b>, formatBytes(size))}
        <p className="quiet">{figures.join(", ")}</p>
      </div>
    </div>
  );
}

/** Bytes per second since the first report; null until a second has passed. */
export function useRate(bytes: number | null): number | null {
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
