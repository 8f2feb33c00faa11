import { type ReactNode, useEffect, useState } from "react";
import { navigate } from "../../state/navigate.ts";
import { Page } from "../../frame/page.tsx";
import { Notice } from "../../frame/notice.tsx";
import { PageTitle } from "../../frame/page-title.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { Button, Chip, Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { formatBytes } from "../../ui/words.ts";
import { ArrivingPicture } from "./progress/arriving-picture.tsx";
import { useDraft } from "./sending/draft.ts";
import type { UploadEvent } from "./sending/draft-types.ts";
import { isNamed } from "./files-text.ts";
import { shortName } from "./short-name.ts";
import { StatePage } from "./state-page.tsx";
import { useUploadRate } from "./sending/upload-rate.ts";
import {
  keptUntil,
  rowText,
  stateOfUpload,
  sumsOfRows,
  uploadHeadline,
  uploadLeadText,
  type UploadRow,
  uploadRows,
  type UploadSums,
} from "./sending/upload-text.ts";
import styles from "./parts-screen.module.css";

interface Props {
  readonly onChoose: () => void;
  /** The file picker. */
  readonly picker: ReactNode;
}

/**
 * Large files that are being sent: the part that the server has kept, the new part, past events, and possible actions.
 */
export function PartsScreen({ onChoose, picker }: Props): ReactNode {
  const draft = useDraft();
  const { capture, isPaused, events, notice, pause, goOn } = draft;
  const rows = uploadRows(draft);
  const sums = sumsOfRows(rows);
  const state = stateOfUpload(draft);
  const lastRate = useUploadRate(sums.sent);
  const rate = state.is === "sending" || state.is === "goes-on" ? lastRate : null;
  const nowMs = useSeconds();
  const isRunning = state.is !== "choose" && state.is !== "stopped";
  useKeys(isRunning ? { pauseUpload: () => (isPaused ? goOn() : pause()) } : {});
  const leave = (): void => {
    draft.reset();
    navigate("/");
  };
  const files = texts.file(rows.length);
  return (
    <Page
      title={capture?.name ?? ""}
      what={<PageTitle name={capture?.name ?? "Capture"} note={`${files}, ${formatBytes(sums.size)}`} />}
      actions={<Button onClick={leave}>{texts.cancel}</Button>}
      status={texts.sentInParts}
      statusRight={texts.capturesAreShownWhen}
    >
      <StatePage title={uploadHeadline(state, sums, rate, nowMs)} lead={uploadLeadText(state, sums)}>
        {picker}
        <output className="sr-only">{state.is === "waiting" ? state.sentence : state.is}</output>
        <div aria-live="polite">{notice === null ? null : <Notice>{notice}</Notice>}</div>
        <TotalBar rows={rows} sums={sums} rate={rate} />
        <ul className={styles.rows}>
          {rows.map((row) => (
            <FileRow key={row.key} row={row} />
          ))}
        </ul>
        {rows.some(({ reading }) => reading !== null) ? (
          <p className="muted text space-8">{texts.eventsPerSecond}</p>
        ) : null}
        <div className={styles.below}>
          <WhatHappened events={events} />
          <section>
            <h2>{isRunning ? texts.ifItBreaksAgain : texts.nextSteps}</h2>
            <p>{texts.dropTheSameFiles(keptText(keptUntil(draft)))}</p>
            <div className={styles.choices}>
              {isRunning ? (
                <Button onClick={isPaused ? goOn : pause}>
                  {isPaused ? texts.resume : texts.pause} <Kbd>Space</Kbd>
                </Button>
              ) : null}
              {state.is === "waiting" ? <Button onClick={goOn}>{texts.tryNow}</Button> : null}
              {isRunning ? null : (
                <Button kind="primary" onClick={onChoose}>
                  {texts.chooseFiles}
                </Button>
              )}
              <ThrowAway onThrowAway={() => void draft.throwAway()} />
            </div>
          </section>
        </div>
      </StatePage>
    </Page>
  );
}

/** One button, so that the focus stays; the bytes can't be restored. */
function ThrowAway({ onThrowAway }: { readonly onThrowAway: () => void }): ReactNode {
  const [asked, setAsked] = useState(false);
  return (
    <Button kind={asked ? "plain" : "quiet"} onClick={asked ? onThrowAway : () => setAsked(true)}>
      {asked ? texts.discardTheReceivedPart : texts.discard}
    </Button>
  );
}

/** All files one after the other, to scale. */
function TotalBar({
  rows,
  sums,
  rate,
}: {
  readonly rows: readonly UploadRow[];
  readonly sums: UploadSums;
  /** Bytes per second; null while it is not known. */
  readonly rate: number | null;
}): ReactNode {
  return (
    <div className={styles.total}>
      <div
        className={styles.parts}
        // The figures below and next to the bar show the same.
        aria-hidden="true"
      >
        {rows.map((row) => (
          <span key={row.key} style={{ flexGrow: Math.max(1, row.size) }}>
            <KeptAndNew row={row} />
          </span>
        ))}
      </div>
      <p className={styles.sums}>
        <span>{texts.kept(formatBytes(sums.kept))}</span>
        <b>
          {texts.newAtS(
            formatBytes(sums.sent - sums.kept),
            rate === null ? "" : texts.atS(formatBytes(rate)),
          )}
        </b>
        <span className="quiet">{formatBytes(sums.size)}</span>
      </p>
    </div>
  );
}

/** The kept part is pale, the part since then strong, with a tick for each interruption. */
function KeptAndNew({ row: { size, kept, sent, breaks, file } }: { readonly row: UploadRow }): ReactNode {
  const share = (bytes: number): string => `${(100 * bytes) / Math.max(1, size)}%`;
  return (
    <span className={styles.bar} data-role={file?.role ?? "unknown"}>
      <i className={styles.kept} style={{ width: share(kept) }} />
      <i className={styles.new} style={{ width: share(sent - kept) }} />
      {breaks
        .filter((bytes) => bytes > 0)
        .map((bytes) => (
          <u key={bytes} className={styles.tick} style={{ left: share(bytes) }} />
        ))}
    </span>
  );
}

function FileRow({ row }: { readonly row: UploadRow }): ReactNode {
  const { sendAnew, dismiss } = useDraft();
  const { file, upload, name, size, sent } = row;
  const role = file?.role === "primary" ? "primary" : "secondary";
  const hasServer = file !== null && file.kind === "xel" && file.role !== "ignored";
  return (
    <li className={styles.row}>
      <div>
        {hasServer ? (
          <p className={styles.server}>
            {isNamed({ name: file.replica, role }) ? <b>{file.replica} </b> : null}
            <Chip place={role}>{role === "primary" ? texts.primary : texts.secondary}</Chip>
          </p>
        ) : null}
        <p className={`mono ${styles.name}`} title={name}>
          {shortName(name)}
        </p>
      </div>
      <div aria-hidden="true">
        <KeptAndNew row={row} />
      </div>
      <div className={styles.figures}>
        {texts.of(<b>{formatBytes(sent)}</b>, formatBytes(size))}
        <p className="quiet">{rowText(row)}</p>
      </div>
      {row.reading === null ? null : <ArrivingPicture row={row} />}
      {upload === null || upload.problem === null ? null : (
        <p className={styles.failed} role="alert">
          {upload.problem}{" "}
          {upload.parts?.otherThan == null ? null : (
            <Button kind="quiet" onClick={() => void sendAnew(upload.key)}>
              {texts.sendThisOne}
            </Button>
          )}
          <Button kind="quiet" onClick={() => dismiss(upload.key)}>
            {texts.dismiss}
          </Button>
        </p>
      )}
    </li>
  );
}

function WhatHappened({ events }: { readonly events: readonly UploadEvent[] }): ReactNode {
  return (
    <section>
      <h2>{texts.problem}</h2>
      {events.length === 0 ? <p className="quiet">{texts.nothingSoFar}</p> : null}
      <ol className={styles.events}>
        {events.map(({ atMs, what, detail }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- events are only ever appended
          <li key={index}>
            <time className="quiet">{new Date(atMs).toLocaleTimeString([], { hour12: false })}</time>
            <span>{what}</span>
            <span className="quiet">{detail}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Created once: creating one takes as long as the rest of a render. */
const UNTIL = new Intl.DateTimeFormat([], { dateStyle: "medium", timeStyle: "short" });

function keptText(untilMs: number | null): string {
  if (untilMs === null) return texts.serverKeepsWhat;
  return texts.serverKeepsWhatIt(UNTIL.format(untilMs));
}

/** The time, ms since 1970, once a second. */
function useSeconds(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
