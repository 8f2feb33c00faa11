import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { navigate } from "wouter/use-browser-location";
import type { BinWindow, BlockWindow, Capture } from "@aglens/contract";
import { MinimapPicture } from "../../charts/minimap-picture.tsx";
import { capturesOfServer, deleteCapture, openSample, previewOfSample } from "../../data/captures-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { Button } from "../../ui/controls.tsx";
import { formatCount } from "../../ui/words.ts";
import { begunWords } from "./files-words.ts";

const SHOWN = 8;
const SAMPLE = "slow-network";

/** Where it runs, the sample, the capture guide, and captures of before. */
export function SideColumn({ onGuide, draftId }: { onGuide: () => void; draftId: string | null }): ReactNode {
  return (
    <aside className="captures-side" aria-label="Start without files">
      <h2>Where the analysis runs</h2>
      <p className="card where">
        <b>On this server</b>
        <span>Files go to {window.location.host} and to no other place.</span>
      </p>
      <h2>{draftId === null ? "No files yet" : "Without files"}</h2>
      <Sample />
      <div className="other-ways">
        <Button size="large" onClick={() => navigate("/live")}>
          Attach live
        </Button>
        <Button size="large" onClick={onGuide}>
          Write a capture script
        </Button>
      </div>
      <Recent key={draftId} draftId={draftId} />
    </aside>
  );
}

function Sample(): ReactNode {
  const { value: preview, error, retry } = useAnswer(previewOfSample(SAMPLE));
  const blocks = preview === null ? 0 : blocksIn(preview);
  const start = useCommand(async () => navigate(`/captures/${(await openSample(SAMPLE)).id}`));
  return (
    <section className="card sample" aria-label="Sample capture">
      <div className="sample-head">
        <b>Sample capture</b>
        <span className="quiet">{blocks === 0 ? "" : `${formatCount(blocks)} blocks`}</span>
      </div>
      <MinimapPicture
        window={preview}
        height={44}
        label="The sample at a glance: the slowest block per column, coloured by its largest stage."
      />
      <Problem sentence={error} onRetry={retry} />
      <p>A slow network for half a minute, between one primary and one secondary. Read it in two minutes.</p>
      <Button size="large" disabled={start.isRunning} onClick={() => start.run()}>
        Open the sample capture
      </Button>
      <p className="upload-problem" aria-live="polite">
        {start.error}
      </p>
    </section>
  );
}

function blocksIn(window: BinWindow | BlockWindow): number {
  return window.detail === "blocks"
    ? window.blocks.length
    : window.count.reduce((sum, count) => sum + count, 0);
}

function Recent({ draftId }: { draftId: string | null }): ReactNode {
  const { value, error, retry } = useAnswer(capturesOfServer);
  const [all, setAll] = useState(false);
  const remove = useCommand(async (id: string) => {
    await deleteCapture(id);
    retry();
  });
  const recent = (value?.captures ?? []).filter(({ id, files }) => id !== draftId && files.length > 0);
  const shown = all ? recent : recent.slice(0, SHOWN);
  if (error !== null) return <Problem sentence={error} onRetry={retry} />;
  if (shown.length === 0) return null;
  return (
    <>
      <h2>Recent on this server</h2>
      <Problem sentence={remove.error} />
      <ul className="recent">
        {shown.map((capture) => (
          <RecentRow key={capture.id} capture={capture} onDelete={() => remove.run(capture.id)} />
        ))}
      </ul>
      {shown.length < recent.length ? (
        <Button kind="quiet" onClick={() => setAll(true)}>
          Show all {formatCount(recent.length)}
        </Button>
      ) : null}
    </>
  );
}

function RecentRow({ capture, onDelete }: { capture: Capture; onDelete: () => void }): ReactNode {
  const [asked, setAsked] = useState(false);
  return (
    <li className={markOf(capture)}>
      <div className="recent-head">
        <Link href={`/captures/${capture.id}`}>{capture.name}</Link>
        <span className="quiet">{begunWords(capture, 16)}</span>
        <span className="quiet ago">{ago(capture.created)}</span>
      </div>
      <div className="recent-text">
        <p title={recentWords(capture)}>{recentWords(capture)}</p>
        {asked ? (
          <Button onClick={onDelete}>Delete for good</Button>
        ) : (
          <Button kind="quiet" aria-label={`Delete ${capture.name}`} onClick={() => setAsked(true)}>
            Delete
          </Button>
        )}
      </div>
    </li>
  );
}

/** The mark beside a capture has the colour of the place that took the time; grey when none stands out. */
function markOf({ severity, place }: Capture): string {
  return severity === null || severity === "none" ? "at-none" : `at-${place ?? "none"}`;
}

function recentWords(capture: Capture): string {
  if (capture.state === "ready") return capture.verdict ?? "Analysed.";
  if (capture.state === "analysing") return "Being analysed.";
  if (capture.state === "failed") return capture.problem?.detail ?? "The analysis failed.";
  return `${capture.files.length === 1 ? "1 file" : `${capture.files.length} files`}, not analysed yet.`;
}

function ago(iso: string): string {
  const minutes = Math.round((Date.now() - Date.parse(iso)) / 60_000);
  if (minutes < 2) return "just now";
  if (minutes < 90) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  if (hours < 36) return `${hours} h ago`;
  return `${Math.round(hours / 24)} days ago`;
}
