import type { CSSProperties, ReactNode } from "react";
import type { Capture, CaptureFile, Gap } from "@aglens/contract";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { formatBytes, formatCount } from "../../ui/words.ts";
import {
  effectText,
  hexOffset,
  lossOf,
  lostBytes,
  lostText,
  replicaNameOf,
  whereaboutsOf,
} from "./damage.ts";
import styles from "./damaged-file.module.css";

/** Gaps of a file described one by one; a shredded file may have thousands. */
const GAPS_SHOWN = 4;

interface Props {
  readonly capture: Capture;
  readonly file: CaptureFile;
  /** Actions for this file only. */
  readonly children: ReactNode;
}

/** A file as a bar with its gaps, and the data that each gap lost. */
export function DamagedFile({ capture, file, children }: Props): ReactNode {
  const percent = (bytes: number): string => `${(100 * bytes) / Math.max(1, file.size)}%`;
  const place = (gap: Gap): CSSProperties => ({ left: percent(gap.offset), width: percent(gap.bytes) });
  const [first] = file.gaps;
  return (
    <section className={`card ${styles.damaged}`} aria-label={file.name}>
      <header className={styles.damagedHead}>
        <b className="mono">{file.name}</b> <span className="quiet">{whereaboutsOf(capture, file)}</span>
        {children}
      </header>
      <div className={styles.fileBar} data-role={file.role} aria-hidden="true">
        {file.gaps.map((gap) => (
          <i key={gap.offset} className={styles.lost} style={place(gap)} />
        ))}
        {file.gaps.map((gap) => (
          <i
            key={gap.offset}
            className={styles.cut}
            style={{ "--at": percent(gap.offset) } as CSSProperties}
          />
        ))}
      </div>
      <div className={`quiet ${styles.fileEnds}`}>
        <span>{texts.readEvents(formatCount(file.events))}</span>
        {first === undefined ? null : (
          <span className={`mono ${styles.cutAt}`} style={{ "--at": percent(first.offset) } as CSSProperties}>
            {hexOffset(first.offset)}
          </span>
        )}
        <span>{texts.notReadable(formatBytes(lostBytes(file)), formatBytes(file.size))}</span>
      </div>
      {file.gaps.slice(0, GAPS_SHOWN).map((gap) => (
        <GapFacts key={gap.offset} capture={capture} file={file} gap={gap} />
      ))}
      {file.gaps.length > GAPS_SHOWN ? (
        <p className="quiet">{texts.andMoreGaps(formatCount(file.gaps.length - GAPS_SHOWN))}</p>
      ) : null}
    </section>
  );
}

function GapFacts({ capture, file, gap }: { capture: Capture; file: CaptureFile; gap: Gap }): ReactNode {
  const loss = lossOf(capture, file, gap);
  return (
    <dl className={styles.facts}>
      <dt className="muted">{texts.problem}</dt>
      <dd>{gap.message}</dd>
      <dt className="muted">{texts.where}</dt>
      <dd>
        {texts.byteOffset(formatCount(gap.offset))}{" "}
        <span className="mono quiet">({hexOffset(gap.offset)})</span>
      </dd>
      <dt className="muted">{texts.lastGoodEvent}</dt>
      <dd className="mono">
        {gap.before ? `${gap.before.name} ${gap.before.at.slice(11, -1)}` : texts.noneInThisFile}
      </dd>
      <dt className="muted">{texts.lostData}</dt>
      <dd>{lostText(replicaNameOf(capture, file), loss, gap.bytes)}</dd>
      <dt className="muted">{texts.effectOnTheVerdict}</dt>
      <dd>{effectText(file.role, loss)}</dd>
    </dl>
  );
}
