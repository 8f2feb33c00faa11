import {
  type ComponentType,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from "react";
import { Link } from "wouter";
import { navigate } from "wouter/use-browser-location";
import type { Capture, Summary } from "@aglens/contract";
import { readCapture } from "../data/captures-client.ts";
import { httpSource } from "../data/http-source.ts";
import { isAbort, sentenceOf } from "../data/problem.ts";
import { decodeView } from "../state/codec.ts";
import { useView, viewUrl } from "../state/use-view.ts";
import type { View } from "../state/view.ts";
import { Button } from "../ui/controls.tsx";
import { useKeys } from "../ui/keys.ts";
import { durationText } from "../ui/words.ts";
import { CaptureTitle } from "../screens/captures/capture-title.tsx";
import { CapturesScreen } from "../screens/captures/captures-screen.tsx";
import { useDraft } from "../screens/captures/draft.ts";
import { damagedFiles } from "../screens/captures/damage.ts";
import { DamageScreen } from "../screens/captures/damage-screen.tsx";
import { ProgressScreen } from "../screens/captures/progress-screen.tsx";
import type { ScreenProps } from "../screens/screen.ts";
import { ShareDialog } from "../screens/share/share-dialog.tsx";
import { LinkIcon } from "../frame/icons.tsx";
import { Message, Page } from "../frame/page.tsx";
import { ReplicaStrip } from "./replica-strip.tsx";
import { Search } from "./search.tsx";
import { useCopy } from "../frame/use-copy.ts";

type Tab = "overview" | "timeline" | "sequence";
const TABS: readonly { tab: Tab; label: string }[] = [
  { tab: "overview", label: "Overview" },
  { tab: "timeline", label: "Timeline" },
  { tab: "sequence", label: "Sequence" },
];

interface Props {
  readonly id: string;
  readonly tab: Tab;
  readonly Screen: ComponentType<ScreenProps>;
}

/** Address of a screen of a capture. */
function tabPath(id: string, tab: Tab): string {
  return tab === "overview" ? `/captures/${id}` : `/captures/${id}/${tab}`;
}

/** One capture, whatever state it is in: files coming, analysis running, damaged, failed, or ready to look at. */
export function CapturePage({ id, tab, Screen }: Props): ReactNode {
  const [capture, setCapture] = useState<Capture | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  /** Damage is told to who watched the analysis end, and later by the chip in the replica strip. */
  const [showDamage, setShowDamage] = useState(false);
  const failed = useCallback((error: unknown) => {
    if (!isAbort(error)) setProblem(sentenceOf(error));
  }, []);
  const reload = useCallback(() => {
    readCapture(id).then(setCapture, failed);
  }, [id, failed]);
  useEffect(() => {
    const abort = new AbortController();
    readCapture(id, abort.signal).then(setCapture, failed);
    return () => abort.abort();
  }, [id, failed]);

  if (problem !== null) {
    return (
      <Page title="Capture">
        <Message title="This capture cannot be opened." detail={problem} />
      </Page>
    );
  }
  if (capture === null) return <Page title="">{null}</Page>;
  if (capture.state === "receiving") return <CapturesScreen draftId={id} onStarted={reload} />;
  if (capture.state === "analysing") {
    return (
      <ProgressScreen
        capture={capture}
        onDone={() => {
          setShowDamage(true);
          reload();
        }}
        onCancelled={reload}
      />
    );
  }
  if (capture.state === "failed") {
    return (
      <Page title={capture.name} what={<CaptureTitle capture={capture} />}>
        <Message
          title="The files could not be analysed."
          detail={capture.problem?.detail ?? "The reason is not known."}
        >
          <Button
            kind="primary"
            size="large"
            onClick={() => {
              void useDraft.getState().open(id);
              navigate("/");
            }}
          >
            Change the files
          </Button>
          <Button size="large" onClick={() => navigate("/")}>
            All captures
          </Button>
        </Message>
      </Page>
    );
  }
  if (showDamage && damagedFiles(capture).length > 0) {
    return <DamageScreen capture={capture} onOpen={() => setShowDamage(false)} onChanged={reload} />;
  }
  return <ReadyCapture capture={capture} tab={tab} Screen={Screen} onDamage={() => setShowDamage(true)} />;
}

/** The analysed capture inside its frame. */
function ReadyCapture({
  capture,
  tab,
  Screen,
  onDamage,
}: {
  capture: Capture;
  tab: Tab;
  Screen: Props["Screen"];
  onDamage: () => void;
}): ReactNode {
  const source = useMemo(() => httpSource(capture.id), [capture.id]);
  const [summary, setSummary] = useState<Summary | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [view, setView] = useView();
  const [status, setStatusParts] = useState<{ left: ReactNode; right: ReactNode }>({
    left: null,
    right: null,
  });
  const [sharing, setSharing] = useState(false);
  const [notice, copy] = useCopy();

  useEffect(() => {
    const abort = new AbortController();
    source
      .summary(abort.signal)
      .then(setSummary)
      .catch((error: unknown) => {
        if (!isAbort(error)) setProblem(sentenceOf(error));
      });
    return () => abort.abort();
  }, [source]);

  const setStatus = useCallback(
    (left: ReactNode, right?: ReactNode) => setStatusParts({ left, right: right ?? null }),
    [],
  );
  const open = useCallback(
    (screen: Tab, change: Partial<View> = {}) => {
      navigate(viewUrl(tabPath(capture.id, screen), { ...decodeView(window.location.search), ...change }));
    },
    [capture.id],
  );
  const actions = {
    overview: () => open("overview"),
    timeline: () => open("timeline"),
    sequence: () => open("sequence"),
    copyLink: () => copy(window.location.href, "Link to this view copied", "use the address bar or Share"),
    copyVerdict: () => {
      if (summary !== null) copy(summary.verdict.sentence, "Verdict copied");
    },
    clock: () => setView({ clock: view.clock === "raw" ? "aligned" : "raw" }),
    timeFormat: () => setView({ time: view.time === "utc" ? "offset" : "utc" }),
  };
  useKeys(actions);

  return (
    <Page
      title={summary?.name ?? capture.name}
      what={
        <>
          <b title={summary?.name ?? capture.name}>{summary?.name ?? capture.name}</b>
          {summary === null ? null : <StartAndLength summary={summary} />}
        </>
      }
      tabs={<Tabs id={capture.id} tab={tab} view={view} />}
      actions={
        <>
          {summary === null ? null : (
            <Search
              {...{ source, summary, view, open }}
              actions={{ ...actions, all: () => setView({ range: null }) }}
            />
          )}
          <Button kind="primary" onClick={() => setSharing(true)} disabled={summary === null}>
            <LinkIcon /> Share
          </Button>
        </>
      }
      strip={
        summary === null ? (
          <div className="strip" />
        ) : (
          <ReplicaStrip
            summary={summary}
            clock={view.clock}
            onClock={(clock) => setView({ clock })}
            onDamage={onDamage}
          />
        )
      }
      status={status.left}
      notice={notice}
      statusRight={status.right}
    >
      {problem === null ? null : <Message title="The analysis cannot be read." detail={problem} />}
      {summary === null ? null : (
        <>
          <Suspense fallback={null}>
            <Screen
              source={source}
              summary={summary}
              view={view}
              setView={setView}
              open={open}
              setStatus={setStatus}
            />
          </Suspense>
          <ShareDialog open={sharing} onOpenChange={setSharing} summary={summary} tab={tab} view={view} />
        </>
      )}
    </Page>
  );
}

/** `2016-05-06 02:16:55 UTC, 1 min 32 s in common`; the length is the time that every file covers. */
function StartAndLength({ summary }: { summary: Summary }): ReactNode {
  const [from, to] = summary.common;
  const start = `${summary.originUtc.slice(0, 10)} ${summary.originUtc.slice(11, 19)} UTC`;
  const whole = durationText(summary.durationUs);
  const captured = summary.replicas.filter(({ hasCapture }) => hasCapture).length;
  if (captured < 2 || from === null || to === null || to <= from)
    return <span className="quiet">{`${start}, ${whole}`}</span>;
  const common = durationText(to - from);
  return (
    <span
      className="quiet"
      title={`${whole} from the first event to the last, ${common} covered by every file`}
    >
      {`${start}, ${common}`}
      <span className="in-common"> in common</span>
    </span>
  );
}

function Tabs({ id, tab, view }: { id: string; tab: Tab; view: View }): ReactNode {
  return (
    <nav className="tabs" aria-label="Screens">
      {TABS.map((entry) => (
        <Link
          key={entry.tab}
          href={viewUrl(tabPath(id, entry.tab), view)}
          aria-current={entry.tab === tab ? "page" : undefined}
          // Keys belong to the screen that opens, not to the tab that opened it.
          onClick={() => document.getElementById("content")?.focus()}
        >
          {entry.label}
        </Link>
      ))}
    </nav>
  );
}
