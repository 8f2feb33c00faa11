import { type ReactNode, useEffect, useState } from "react";
import type { Capture } from "@aglens/contract";
import { IS_ALONE } from "../../alone.ts";
import { mayContribute } from "../../data/access-client.ts";
import { partCapture, startAnalysis } from "../../data/captures-client.ts";
import { addressOfLocalLink } from "../../data/local-link.ts";
import { usePlace } from "../../data/place.ts";
import { useCommand } from "../../data/use-command.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { UploadIcon } from "../../frame/icons.tsx";
import { Notice } from "../../frame/notice.tsx";
import { Page } from "../../frame/page.tsx";
import { Problem } from "../../frame/problem.tsx";
import { StartPage } from "../../frame/start-page.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { folderTexts } from "../../messages/folder.ts";
import { useAccount } from "../../state/account.ts";
import { navigate } from "../../state/navigate.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { WatchesLink } from "../capture-view/watches-link.tsx";
import { CaptureCard, OtherFiles } from "./capture-card.tsx";
import { type GroupFiles, groupsOf, uploadLead, uploadTitle } from "./capture-groups.ts";
import styles from "./captures-screen.module.css";
import { draftText } from "./draft-text.ts";
import { useDraft } from "./sending/draft.ts";
import { ExpectedFiles } from "./sending/expected-files.tsx";
import { needsLook } from "./files-text.ts";
import { FolderGroups } from "./folder/folder-groups.tsx";
import { FolderSide } from "./folder/folder-side.tsx";
import { FolderStatus } from "./folder/folder-status.tsx";
import { folderLead, folderTitle, supportFolder, type SupportFolder } from "./folder/support-folder.ts";
import { LeftSessions } from "./left-sessions.tsx";
import { LostCaptures } from "./lost-captures.tsx";
import { PartsScreen } from "./parts-screen.tsx";
import { KeptCaptures } from "./kept-captures.tsx";
import { RecentCaptures } from "./recent-captures.tsx";
import { TooLarge } from "./sending/too-large.tsx";
import { UnfinishedUploads } from "./sending/unfinished-uploads.tsx";
import { isInParts } from "./sending/upload-text.ts";
import { Uploads } from "./sending/uploads.tsx";
import { WaysIn } from "./ways-in.tsx";
import { WhereRuns } from "./where-runs.tsx";
import { useFilePicker } from "./sending/use-file-picker.tsx";
import { WindowDrop } from "./sending/window-drop.tsx";

export interface CapturesScreenProps {
  /** Continues an existing draft. */
  readonly draftId?: string;
  /** Called when the analysis of `draftId` has begun: its page is open already. */
  readonly onStarted?: () => void;
}

const TITLE = texts.whichStep;
const LEAD = texts.agLensReadsExtended;

/** The first screen: for users who may upload files, and for others, who see the captures that they may open. */
export function CapturesScreen(props: CapturesScreenProps): ReactNode {
  const account = useAccount();
  return mayContribute(account?.person ?? null) ? <UploadScreen {...props} /> : <OpenScreen />;
}

/** Page of users who may only open the captures of others. */
function OpenScreen(): ReactNode {
  return (
    <Page
      title=""
      actions={
        <>
          <WatchesLink />
          <TextLink href="/captures">{texts.allCaptures}</TextLink>
        </>
      }
    >
      <StartPage title={texts.capturesThatAreShared} lead={texts.yourRoleOpensCaptures}>
        <RecentCaptures />
      </StartPage>
    </Page>
  );
}

/** Accepts files, shows the captures that they form, starts the analysis. */
function UploadScreen({ draftId, onStarted }: CapturesScreenProps): ReactNode {
  const { capture, uploads, add, open } = useDraft();
  const picker = useFilePicker(add);
  useLinkPaste();
  useEffect(() => {
    if (draftId !== undefined && useDraft.getState().capture?.id !== draftId) void open(draftId);
  }, [draftId, open]);
  const inParts = useDraft(isInParts);
  const recognised = capture === null ? null : uploadTitle(capture);
  const folder = capture === null ? null : supportFolder(capture);
  const [correcting, setCorrecting] = useState(false);
  const hasFiles = recognised !== null || uploads.some(({ problem }) => problem === null);
  if (inParts) {
    return (
      <>
        <WindowDrop add={add} />
        <PartsScreen onChoose={() => picker.choose()} picker={picker.input} />
      </>
    );
  }
  return (
    <Page
      title=""
      actions={
        <>
          {capture === null ? null : <TextLink href="/guide">{texts.captureGuide}</TextLink>}
          <WatchesLink />
          {IS_ALONE ? null : <TextLink href="/captures">{texts.allCaptures}</TextLink>}
        </>
      }
      status={folder === null ? texts.readsXelWithoutSql : <FolderStatus folder={folder} />}
    >
      <WindowDrop add={add} />
      <StartPage
        title={folder === null ? (recognised ?? TITLE) : folderTitle(folder)}
        lead={
          folder !== null
            ? folderLead(folder)
            : capture === null || recognised === null
              ? LEAD
              : uploadLead(capture)
        }
        {...(folder !== null && {
          side: {
            label: folderTexts.filesThatArentUsed,
            content: (
              <FolderSide
                folder={folder}
                editing={correcting}
                onAddFile={() => picker.choose()}
                onEdit={() => setCorrecting(true)}
              />
            ),
          },
        })}
      >
        {IS_ALONE ? null : <LeftOnServer draftId={capture?.id ?? null} />}
        {capture === null ? null : <ExpectedFiles capture={capture} />}
        {hasFiles ? null : <DropZone onChoose={() => picker.choose()} />}
        {picker.input}
        <TooLarge />
        <DraftFiles
          folder={folder}
          correcting={correcting}
          onCorrect={setCorrecting}
          onAddFile={picker.choose}
          onStarted={onStarted}
        />
        {capture === null && !hasFiles ? <WithoutFiles /> : null}
      </StartPage>
    </Page>
  );
}

/** Ways to begin while there are no files, and earlier captures. */
function WithoutFiles(): ReactNode {
  const { place } = usePlace();
  return (
    <>
      <WaysIn />
      <WhereRuns />
      <RecentCaptures />
      {place === "browser" ? <KeptCaptures /> : null}
    </>
  );
}

/** Data of earlier work that is still on the AG Lens server or on a SQL Server. */
function LeftOnServer({ draftId }: { readonly draftId: string | null }): ReactNode {
  return (
    <>
      <LeftSessions />
      <UnfinishedUploads draftId={draftId} />
      <LostCaptures />
    </>
  );
}

/** The formats that can be dropped, and the button for those who choose. The complete window is the target. */
function DropZone({ onChoose }: { readonly onChoose: () => void }): ReactNode {
  return (
    <section className={styles.drop} aria-label={texts.addFiles}>
      <UploadIcon size={46} />
      <b>{texts.dropXelFilesFolders}</b>
      <p className="muted">{texts.filesOfAllReplicas}</p>
      <Button kind="primary" size="large" onClick={onChoose}>
        {texts.chooseFiles}
      </Button>
    </section>
  );
}

interface DraftFilesProps {
  /** Null for a draft without evidence files. */
  readonly folder: SupportFolder | null;
  /** Whether the user corrects roles and files. */
  readonly correcting: boolean;
  readonly onCorrect: (correcting: boolean) => void;
  readonly onAddFile: ReturnType<typeof useFilePicker>["choose"];
  readonly onStarted: CapturesScreenProps["onStarted"];
}

/** The recognized files, the files that are still being sent, and the analysis. */
function DraftFiles({ folder, correcting, onCorrect, onAddFile, onStarted }: DraftFilesProps): ReactNode {
  const { capture, uploads, notice } = useDraft();
  const groups = capture === null ? [] : groupsOf(capture);
  const replicas = groups.flatMap(({ servers }) => servers);
  const sending = uploads.some((upload) => upload.problem === null);
  const editing = correcting || needsLook(replicas);
  const analyse = useAnalyze(capture?.id ?? null, groups.length, onStarted);
  const hasUse = replicas.length > 0 || (folder !== null && folder.used > 0);
  const canAnalyze = capture !== null && hasUse && !sending && !analyse.isRunning;
  useKeys(canAnalyze ? { analyse: () => analyse.run() } : {});
  return (
    <div>
      <div className={styles.notices} aria-live="polite">
        {notice === null ? null : <Notice>{notice}</Notice>}
        <Problem sentence={analyse.error} />
      </div>
      {capture === null ? null : folder === null ? (
        <Cards
          capture={capture}
          groups={groups}
          editing={editing}
          onAddFile={onAddFile}
          onCorrect={onCorrect}
        />
      ) : (
        <FolderGroups folder={folder} capture={capture} editing={editing} onAddFile={onAddFile} />
      )}
      <Uploads />
      {capture === null ? null : (
        <div className={styles.analyse}>
          <Button kind="primary" size="large" disabled={!canAnalyze} onClick={() => analyse.run()}>
            {analyzeText(groups.length, folder)} <Kbd>Enter</Kbd>
          </Button>
          {!hasUse || needsLook(replicas) ? null : (
            <Button kind="quiet" size="large" aria-pressed={editing} onClick={() => onCorrect(!correcting)}>
              {folder === null ? texts.changeRolesAndFiles : folderTexts.changeServersAndUse}
            </Button>
          )}
          <Button kind="quiet" size="large" onClick={() => onAddFile()}>
            {texts.addFiles}
          </Button>
          <Button kind="quiet" size="large" onClick={() => useDraft.getState().reset()}>
            {texts.startOver}
          </Button>
          <span className="quiet text">{`${waitWords(hasUse, sending)} ${draftText(capture)}`.trim()}</span>
        </div>
      )}
    </div>
  );
}

interface CardsProps extends Pick<DraftFilesProps, "onAddFile" | "onCorrect"> {
  readonly capture: Capture;
  readonly groups: readonly GroupFiles[];
  readonly editing: boolean;
}

/** A card for each capture of the draft, and one for the other files. */
function Cards({ capture, groups, editing, onAddFile, onCorrect }: CardsProps): ReactNode {
  return (
    <>
      {groups.map((files) => (
        <CaptureCard
          key={files.group.name}
          files={files}
          capture={groups.length === 1 ? capture : null}
          editing={editing}
          onAddFile={onAddFile}
          onEdit={() => onCorrect(true)}
        />
      ))}
      {groups.length === 1 ? null : <OtherFiles capture={capture} />}
    </>
  );
}

function analyzeText(groups: number, folder: SupportFolder | null): string {
  if (groups > 1) return texts.analyzeCaptures(groups);
  return groups === 0 && folder !== null ? folderTexts.showWhatHappened : texts.analyze;
}

/**
 * Starts the analysis and opens the capture, which then is no longer a draft. With several captures it opens the page
 * of their verdicts.
 */
function useAnalyze(id: string | null, count: number, onStarted: CapturesScreenProps["onStarted"]) {
  return useCommand(async () => {
    if (id === null) return;
    const parts = count > 1 ? await partCapture(id) : [];
    // A refused capture is listed as not analyzed, and shows the reason when it is opened.
    if (count > 1) await Promise.allSettled(parts.map((part) => startAnalysis(part.id)));
    else await startAnalysis(id);
    useDraft.getState().reset();
    if (count > 1) navigate(`/verdicts/${parts.map((part) => part.id).join(",")}`);
    else if (onStarted === undefined) navigate(`/captures/${id}`);
    else onStarted();
  });
}

/** Why the analysis cannot begin yet; empty where it can. */
function waitWords(hasUse: boolean, sending: boolean): string {
  if (sending) return texts.filesAreStillBeing;
  return hasUse ? "" : texts.noFileThatCan;
}

/**
 * Opens a link to files on a computer when the user pastes it on the page, because its address may belong to another
 * computer's disk.
 */
export function useLinkPaste(): void {
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      if (event.target instanceof HTMLInputElement) return;
      const address = addressOfLocalLink(event.clipboardData?.getData("text") ?? "");
      if (address === null) return;
      event.preventDefault();
      navigate(address);
    };
    window.addEventListener("paste", paste);
    return () => window.removeEventListener("paste", paste);
  }, []);
}
