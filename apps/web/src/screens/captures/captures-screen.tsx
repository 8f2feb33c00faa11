import { type ChangeEvent, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { navigate } from "wouter/use-browser-location";
import type { FileCorrection } from "@aglens/contract";
import { startAnalysis } from "../../data/captures-client.ts";
import { sentenceOf } from "../../data/problem.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { UploadIcon, WarningIcon } from "../../frame/icons.tsx";
import { Page } from "../../frame/page.tsx";
import { CaptureCard } from "./capture-card.tsx";
import { byReplica, type ReplicaFiles, useDraft } from "./draft.ts";
import { filesOfDrop } from "./dropped.ts";
import { needsLook, roleWords } from "./files-words.ts";
import { GuideDialog } from "./guide-dialog.tsx";
import { SideColumn } from "./side-column.tsx";
import { Uploads } from "./uploads.tsx";
import "../../frame/captures.css";

/** The first screen: take files in, say what they are, start the analysis. `draftId` continues a capture begun before. */
export function CapturesScreen({
  draftId,
  onStarted,
}: {
  draftId?: string;
  /** Called when the analysis of `draftId` has begun: its page is open already. */
  onStarted?: () => void;
}): ReactNode {
  const { capture, uploads, notice, add, open } = useDraft();
  const [guide, setGuide] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [starting, setStarting] = useState(false);
  const [correcting, setCorrecting] = useState(false);
  const picker = usePicker(add);
  const dragging = useWindowDrop(add);

  useEffect(() => {
    if (draftId !== undefined && useDraft.getState().capture?.id !== draftId) void open(draftId);
  }, [draftId, open]);

  const replicas = byReplica(capture?.files ?? []);
  const sending = uploads.some((upload) => upload.problem === null);
  const editing = correcting || needsLook(replicas);
  const canAnalyse = capture !== null && replicas.length > 0 && !sending && !starting;
  const analyse = useCallback(async () => {
    if (capture === null) return;
    setStarting(true);
    try {
      await startAnalysis(capture.id);
      useDraft.getState().reset();
      if (onStarted === undefined) navigate(`/captures/${capture.id}`);
      else onStarted();
    } catch (error) {
      setProblem(sentenceOf(error));
      setStarting(false);
    }
  }, [capture, onStarted]);
  useKeys(canAnalyse ? { analyse: () => void analyse() } : {});

  return (
    <Page
      title=""
      actions={
        <>
          <button type="button" className="text-button" onClick={() => setGuide(true)}>
            Capture guide
          </button>
          <Link className="text-button" href="/live">
            Attach live
          </Link>
        </>
      }
      status="Reads .xel without SQL Server, Windows or .NET"
      statusRight="Redo is not measured by these events"
    >
      <div className={`captures${dragging ? " dragging" : ""}`}>
        <div className="captures-main">
          <h1>Which step, on which replica, since when?</h1>
          <p className="lead">
            Drop the Extended Events files of every replica. AG Lens puts them on one clock and shows each log
            block from commit to acknowledgement.
          </p>
          <section className="drop" aria-label="Add files">
            <UploadIcon size={30} />
            <div>
              <b>Drop .xel files, folders or zips anywhere on this page</b>
              <p>
                All replicas at once, rollovers in any order. Topology XML is optional and only adds names.
              </p>
            </div>
            <Button size="large" onClick={() => picker.choose()}>
              Choose files
            </Button>
          </section>
          {picker.input}
          <div aria-live="polite">
            {[notice, problem].map((sentence, index) =>
              sentence === null ? null : (
                <p key={index === 0 ? "notice" : "problem"} className="notice">
                  <WarningIcon /> {sentence}
                </p>
              ),
            )}
          </div>
          {capture === null ? null : (
            <CaptureCard capture={capture} editing={editing} onAddFile={picker.choose} />
          )}
          <Uploads />
          {capture === null ? null : (
            <div className="analyse">
              <Button kind="primary" size="large" disabled={!canAnalyse} onClick={() => void analyse()}>
                Analyse <Kbd>Enter</Kbd>
              </Button>
              {replicas.length === 0 || needsLook(replicas) ? null : (
                <Button
                  kind="quiet"
                  size="large"
                  aria-pressed={editing}
                  onClick={() => setCorrecting(!correcting)}
                >
                  Change roles and files
                </Button>
              )}
              <Button kind="quiet" size="large" onClick={() => useDraft.getState().reset()}>
                Start over
              </Button>
              <span className="quiet small">{analyseWords(replicas, sending)}</span>
            </div>
          )}
        </div>
        <SideColumn onGuide={() => setGuide(true)} draftId={capture?.id ?? null} />
      </div>
      <GuideDialog open={guide} onOpenChange={setGuide} />
    </Page>
  );
}

function analyseWords(replicas: readonly ReplicaFiles[], sending: boolean): string {
  if (sending) return "The files are still being sent.";
  return replicas.length === 0 ? "No file that can be read yet." : roleWords(replicas);
}

/** A hidden file input; `choose` opens it, for one replica or for any. */
function usePicker(add: (files: readonly File[], as?: FileCorrection) => Promise<void>): {
  choose: (as?: FileCorrection) => void;
  input: ReactNode;
} {
  const element = useRef<HTMLInputElement>(null);
  const target = useRef<FileCorrection | undefined>(undefined);
  const choose = useCallback((as?: FileCorrection) => {
    target.current = as;
    element.current?.click();
  }, []);
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    void add([...(event.target.files ?? [])], target.current);
    event.target.value = "";
  };
  const input = (
    <input
      ref={element}
      type="file"
      multiple
      hidden
      accept=".xel,.zip,.xml,.csv"
      aria-label="Capture files"
      onChange={onChange}
    />
  );
  return { choose, input };
}

/** Makes the whole window a drop target; true while files hover over it. */
function useWindowDrop(add: (files: readonly File[]) => Promise<void>): boolean {
  const [dragging, setDragging] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      setDragging(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const drop = (event: DragEvent): void => {
      setDragging(false);
      if (event.dataTransfer === null) return;
      event.preventDefault();
      void filesOfDrop(event.dataTransfer).then((files) => add(files));
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, [add]);
  return dragging;
}
