import {
  type ReactNode,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { Redirect } from "wouter";
import type { Sequence } from "@aglens/contract";
import { navigate } from "../state/navigate.ts";
import type { CaptureAddress } from "../data/capture-address.ts";
import { fileLink } from "../data/kept-client.ts";
import { localLink } from "../data/local-link.ts";
import { isLocalId } from "../data/local-server.ts";
import { useAnswer } from "../data/use-answer.ts";
import { LinkIcon } from "../frame/icons.tsx";
import { lazyScreen } from "../frame/lazy-screen.tsx";
import { PageTitle } from "../frame/page-title.tsx";
import { Message, Page } from "../frame/page.tsx";
import { ScreenBoundary } from "../frame/screen-boundary.tsx";
import { useCopy } from "../frame/copy.tsx";
import {
  CaptureContext,
  type CaptureTab,
  type OpenCapture,
  hasTab,
  isAlone,
  TAB_LABELS,
  useCapture,
} from "../screens/capture-view/capture-context.ts";
import { blockName, linkedView, namedBlock, stepDatabase } from "../screens/capture-view/databases.ts";
import type { PickedFile } from "../screens/captures/sending/picked-files.ts";
import { WindowDrop } from "../screens/captures/sending/window-drop.tsx";
import type { ZonedSummary } from "../screens/capture-view/zones.ts";
import { fullRangeOf } from "../screens/capture-view/shown-range.ts";
import { decodeView } from "../state/codec.ts";
import { filterPreview } from "../state/filter-preview.ts";
import { linkFor, useView, viewUrl } from "../state/use-view.ts";
import type { LinkedView, NamedBlock, View } from "../state/view.ts";
import { Button } from "../ui/controls.tsx";
import { ZoomRow } from "../screens/timeline/zoom-row.tsx";
import { KeepKeys, useKeys } from "../ui/keys.ts";
import type { KeyId } from "../ui/keymap.ts";
import { durationText, formatDate, formatInstant } from "../ui/words.ts";
import { FilterRow } from "./filter-row.tsx";
import { MissingBlockRow } from "./missing-block-row.tsx";
import { ReplicaStrip } from "./replica-strip.tsx";
import { Search } from "./search.tsx";
import { useScopedCapture } from "./use-scoped-capture.ts";
import stripStyles from "../frame/strip.module.css";
import { pagesTexts as texts } from "../messages/pages.ts";
import { useTimes } from "./strip-times.tsx";
import { hasSql, tabPath, Tabs } from "./tabs.tsx";
import { Tour } from "./tour.tsx";

/** Code that creates links, and code that writes files, is loaded on first use. */
const ShareDialog = lazyScreen(async () => (await import("../screens/share/share-dialog.tsx")).ShareDialog);
const ExportDialog = lazyScreen(
  async () => (await import("../screens/export/export-dialog.tsx")).ExportDialog,
);
const NamesDialog = lazyScreen(async () => (await import("../screens/names/names-dialog.tsx")).NamesDialog);
const AddEvidence = lazyScreen(
  async () => (await import("../screens/captures/folder/add-evidence.tsx")).AddEvidence,
);
const TagsDialog = lazyScreen(async () => (await import("../screens/tags/tags-dialog.tsx")).TagsDialog);

interface Props {
  readonly address: CaptureAddress;
  /** Shown until the summary is loaded. */
  readonly name: string;
  /** Whether the visitor may change it, and make links to it. */
  readonly canChange: boolean;
  readonly tab: CaptureTab;
  /** As in `OpenCapture`. */
  readonly hasEvidence?: boolean;
  /** Absent where they are hidden. */
  readonly tags?: readonly string[];
  /** Called when the capture was changed. */
  readonly onChanged?: () => void;
  /** Shows the gaps of the files; null where they are hidden. */
  readonly onDamage: (() => void) | null;
  /** The tab's screen. */
  readonly children: ReactNode;
}

/** Reads the summary of an analyzed capture and provides the capture to its content. */
export function AnalyzedCapture({ name, children, ...props }: Props): ReactNode {
  const { address, canChange, tab, hasEvidence, onChanged } = props;
  // A link can only open a capture of a server.
  const canShare = canChange && !isLocalId(address.id);
  const [view, setView] = useView();
  const typed = useTypedFilter(view);
  const { shown, isBusy, error, retry } = useScopedCapture(address, typed, tab === "overview");
  const [adding, setAdding] = useState<readonly PickedFile[] | null>(null);
  const addEvidence = useMemo(() => (canChange ? () => setAdding([]) : undefined), [canChange]);
  const [status, setStatusParts] = useState<Status>({ left: null, right: null });
  const setStatus = useCallback(
    (left: ReactNode, right: ReactNode = null) => setStatusParts({ left, right }),
    [],
  );
  const open = useCallback(
    (screen: CaptureTab, change: Partial<View> = {}) => {
      navigate(viewUrl(tabPath(address, screen), { ...decodeView(window.location.search), ...change }));
    },
    [address],
  );
  const cameFrom = useCameFrom(tab);
  const opened = useMemo(
    (): OpenCapture | null =>
      shown && {
        ...shown,
        canChange,
        setView,
        open,
        cameFrom,
        hasEvidence,
        onChanged,
        addEvidence,
        setStatus,
      },
    [shown, canChange, setView, open, cameFrom, hasEvidence, onChanged, addEvidence, setStatus],
  );
  if (opened === null) {
    return (
      <Page
        title={name}
        what={<PageTitle name={name} />}
        tabs={<Tabs address={address} tab={tab} view={view} />}
        actions={canShare ? <ShareButton disabled /> : undefined}
        strip={<div className={stripStyles.strip} />}
      >
        {error === null ? (
          <KeepKeys />
        ) : (
          <Message title={texts.analysisCannotBeRead} detail={error} onRetry={retry} />
        )}
      </Page>
    );
  }
  return (
    <CaptureContext value={opened}>
      <CaptureFrame {...props} status={status} isBusy={isBusy} missingBlock={shown?.missingBlock ?? null}>
        <ScreenBoundary resetKeys={[tab]}>
          <BehindFrame>
            {hasTab(isAlone(opened.summary), tab) ? (
              children
            ) : (
              <Redirect to={viewUrl(tabPath(address, "timeline"), view)} replace />
            )}
          </BehindFrame>
        </ScreenBoundary>
      </CaptureFrame>
      {canChange ? <WindowDrop add={(files) => Promise.resolve(setAdding(files))} /> : null}
      {adding === null ? null : (
        <AddEvidence address={address} files={adding} onOpenChange={() => setAdding(null)} />
      )}
    </CaptureContext>
  );
}

/** Drawn first in a separate task, which React splits: bars and strip around it already need one. */
function BehindFrame({ children }: { readonly children: ReactNode }): ReactNode {
  const isDrawn = useDeferredValue(true, false);
  return isDrawn ? children : <KeepKeys />;
}

/** The screen that was open before this one. */
export function useCameFrom(tab: CaptureTab): CaptureTab | null {
  const [tabs, setTabs] = useState<{ readonly now: CaptureTab; readonly before: CaptureTab | null }>({
    now: tab,
    before: null,
  });
  if (tabs.now === tab) return tabs.before;
  setTabs({ now: tab, before: tabs.now });
  return tabs.now;
}

/** The view with the conditions that are being typed: every screen shows their hits, no address has them. */
function useTypedFilter(view: LinkedView): LinkedView {
  const typed = useSyncExternalStore(filterPreview.subscribe, filterPreview.get);
  return useMemo(
    () => (typed === null ? view : { ...view, where: [...(view.where ?? []), ...typed] }),
    [view, typed],
  );
}

interface Status {
  readonly left: ReactNode;
  readonly right: ReactNode;
}

interface FrameProps extends Omit<Props, "name"> {
  readonly status: Status;
  readonly isBusy: boolean;
  /** Named by the link, and not in the capture. */
  readonly missingBlock: NamedBlock | null;
}

/** App bar, search, replica strip and status bar around a screen of the open capture. */
function CaptureFrame({
  address,
  canChange,
  tab,
  tags = [],
  onChanged,
  status,
  isBusy,
  missingBlock,
  onDamage,
  children,
}: FrameProps): ReactNode {
  const { summary, view, setView } = useCapture();
  const canShare = canChange && !isLocalId(address.id);
  const block = useSelectedBlock();
  const title = useTitle(tab, block);
  const searchField = useRef<HTMLInputElement>(null);
  const [sharing, setSharing] = useState(false);
  const [exporting, setExporting] = useState(false);
  const [tagging, setTagging] = useState(false);
  const [naming, setNaming] = useState(false);
  const onNames = canChange ? () => setNaming(true) : undefined;
  const onTags = canShare ? () => setTagging(true) : null;
  const [notice, copy] = useCopy();
  const actions = useFrameActions(address, block, copy, {
    export: () => setExporting(true),
    ...(onTags && { tags: onTags }),
    ...(onNames && { names: onNames }),
  });
  return (
    <Page
      title={title}
      isBusy={isBusy}
      what={<CaptureName summary={summary} onNames={onNames} />}
      tabs={
        <Tabs
          address={address}
          tab={tab}
          view={linkedView(view, summary)}
          alone={isAlone(summary)}
          actions={actions}
        />
      }
      actions={
        <>
          <Search
            field={searchField}
            actions={{ ...actions, all: () => setView({ range: fullRangeOf(summary) }) }}
          />
          {actions.export === undefined ? null : <Button onClick={actions.export}>{texts.export}</Button>}
          {canShare ? <ShareButton onClick={() => setSharing(true)} /> : null}
        </>
      }
      strip={
        <div className={stripStyles.head}>
          <ReplicaStrip onDamage={onDamage} tags={tags} onTags={onTags} />
          <MissingBlockRow block={missingBlock} />
          {tab === "timeline" && view.where === null && view.isolated.length === 0 ? (
            <ZoomRow onCopyLink={() => actions.copyLink?.()} />
          ) : null}
          <FilterRow tab={tab} onAdd={() => searchField.current?.focus()} />
        </div>
      }
      status={status.left}
      notice={notice}
      statusRight={status.right}
    >
      {children}
      {view.tour === null ? null : <Tour step={view.tour} />}
      {sharing ? <ShareDialog open onOpenChange={setSharing} tab={tab} /> : null}
      {tagging ? (
        <TagsDialog open onOpenChange={setTagging} ids={[summary.captureId]} onChanged={onChanged} />
      ) : null}
      {naming ? <NamesDialog open onOpenChange={setNaming} /> : null}
      {exporting ? <ExportDialog open onOpenChange={setExporting} /> : null}
    </Page>
  );
}

/** The selected block once it has been read. */
function useSelectedBlock(): Sequence | null {
  const { source, view } = useCapture();
  return useAnswer(view.block === null ? null : source.sequence(view.block), { keepsValue: false }).value;
}

/** `Block 00000022:00000167, Timeline, Sales` for the browser's tab: the selected block, the screen, the capture. */
function useTitle(tab: CaptureTab, block: Sequence | null): string {
  const { summary } = useCapture();
  return [block && texts.block(blockName(summary, block)), TAB_LABELS[tab], summary.name]
    .filter((part) => part != null)
    .join(", ");
}

const LOCAL_LINK_COPIED = texts.linkToThisView;

/** Actions of the keys that all screens of a capture share; the search box offers the same by name. */
function useFrameActions(
  address: CaptureAddress,
  block: Sequence | null,
  copy: ReturnType<typeof useCopy>[1],
  dialogs: Partial<Record<KeyId, () => void>>,
): Partial<Record<KeyId, () => void>> {
  const { summary, view, setView, open } = useCapture();
  const { id: captureId } = address;
  const files = useAnswer(fileLink(captureId)).value;
  const times = useTimes();
  const copyLink = (): void => {
    const link = linkFor(window.location.href, block && namedBlock(summary, block), times.time);
    if (files === null) copy(link, texts.linkToThisViewCopied, texts.copyingRefusedHint);
    else copy(localLink(link, files), LOCAL_LINK_COPIED);
  };
  const screens = {
    overview: () => open("overview"),
    sequence: () => open("sequence"),
    distribution: () => open("distribution"),
    waiting: () => open("waiting"),
    compare: () => open("compare"),
    whatIf: () => open("what-if"),
    rawEvents: () => open("raw-events"),
    howRead: () => open("how-read"),
    compareView: () => open("compare", view.range === null ? {} : { sideA: view.range, sideB: null }),
    clock: () => setView({ clock: view.clock === "raw" ? "aligned" : "raw" }),
  };
  const actions = {
    ...(isAlone(summary) ? {} : screens),
    timeline: () => open("timeline"),
    ...(hasSql(address) ? { sql: () => open("sql") } : {}),
    ...dialogs,
    copyVerdict: () => copy(summary.verdict.sentence, texts.verdictCopied),
    ...(summary.databases.length > 1
      ? {
          nextDatabase: () => setView({ database: stepDatabase(summary, view.database, 1) }),
          previousDatabase: () => setView({ database: stepDatabase(summary, view.database, -1) }),
        }
      : {}),
    ...(isLocalId(captureId) && files === null ? {} : { copyLink }),
    timeFormat: times.next,
  };
  useKeys(actions);
  return actions;
}

function ShareButton(props: { readonly disabled?: boolean; readonly onClick?: () => void }): ReactNode {
  return (
    <Button kind="primary" {...props}>
      <LinkIcon /> {texts.share}
    </Button>
  );
}

/** `slow-network 2016-05-06 02:16:55 UTC, 1 min 32 s in common`; the length is the time that every file covers. */
function CaptureName({
  summary,
  onNames,
}: {
  readonly summary: ZonedSummary;
  /** Opens the names; absent where they cannot be changed. */
  readonly onNames: (() => void) | undefined;
}): ReactNode {
  const [from, to] = summary.common;
  const start = `${formatDate(summary, 0)} ${formatInstant({ ...summary, durationUs: 0 }, 0, 0)}`;
  const whole = durationText(summary.durationUs);
  const captured = summary.replicas.filter(({ hasCapture }) => hasCapture).length;
  if (captured < 2 || from === null || to === null || to <= from)
    return <PageTitle name={summary.name} onRename={onNames} note={`${start}, ${whole}`} />;
  const common = durationText(to - from);
  return (
    <PageTitle
      name={summary.name}
      onRename={onNames}
      note={`${start}, ${common}`}
      more={texts.inCommon}
      tip={texts.fromTheFirstEvent(whole, common)}
    />
  );
}
