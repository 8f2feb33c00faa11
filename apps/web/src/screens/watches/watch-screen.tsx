import { type ReactNode, useEffect, useMemo } from "react";
import { useSearch } from "wouter";
import type { Watch, WatchEpisode } from "@aglens/contract";
import { mayContribute } from "../../data/access-client.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { pauseWatch, recordNow, watchSeries } from "../../data/watch-client.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { useCopy } from "../../frame/copy.tsx";
import { PageTitle } from "../../frame/page-title.tsx";
import { Message, Page } from "../../frame/page.tsx";
import { Problem } from "../../frame/problem.tsx";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { useAccount } from "../../state/account.ts";
import { navigate } from "../../state/navigate.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { useEachSecond } from "../../ui/use-each-second.ts";
import { type ShownWatches, nextMinute, useClock, useWatches } from "./use-watches.ts";
import { readWatchAddress, type WatchAddress, watchOf, watchPath } from "./watch-address.ts";
import { WEEK_MS } from "./watch-list.ts";
import { WatchPane } from "./watch-pane.tsx";
import { WatchPictures } from "./watch-pictures.tsx";
import { WatchRecordings } from "./watch-recordings.tsx";
import { stateText } from "./watch-text.ts";
import { type LongestPoll, WatchVerdict } from "./watch-verdict.tsx";
import { WatchReplicas } from "./watch-replicas.tsx";
import { chosenEpisode, episodeBy, longestIn, moved, nightOf, zoomed } from "./watch-view.ts";
import styles from "./watch.module.css";

/** One watch: the verdict of a trigger, its night, and all recordings. @param id of the watch, or its group's name */
export function WatchScreen({ id }: { readonly id: string }): ReactNode {
  const shown = useWatches(id);
  const { value, error, retry } = shown;
  const watch = value === null ? null : watchOf(value.watches, id);
  if (watch !== null) return <ShownWatch watch={watch} shown={shown} />;
  const isBusy = value === null && error === null;
  return (
    <Page title={texts.watch} what={<PageTitle name={texts.watch} />} isBusy={isBusy}>
      {isBusy ? (
        <output className="sr-only">{texts.loading}</output>
      ) : value === null ? (
        <Message title={texts.watchesCannotBeListed} detail={error} onRetry={retry} />
      ) : (
        <Message title={texts.noSuchWatch} detail={texts.noSuchWatchDetail}>
          <Button onClick={() => navigate("/watches")}>{texts.allWatches}</Button>
        </Message>
      )}
    </Page>
  );
}

interface Props {
  readonly watch: Watch;
  readonly shown: ShownWatches;
}

function ShownWatch({ watch, shown }: Props): ReactNode {
  const address = readWatchAddress(useSearch());
  const change = (next: Partial<WatchAddress>): void =>
    navigate(watchPath(watch.id, { ...address, ...next }), { replace: true });
  const [times, zone] = useClock(address.time, (time) => change({ time }));
  const now = useEachSecond(true);
  const [notice, , show] = useCopy();
  const known = shown.episodes.get(watch.id) ?? null;
  const { lastEpisode } = watch;
  const episodes = useMemo(() => known ?? (lastEpisode === null ? [] : [lastEpisode]), [known, lastEpisode]);
  const chosen = chosenEpisode(episodes, address.at);
  const longest = useLongest(watch, chosen === null, now);
  const around = chosen === null ? (longest.value?.from ?? now) : Date.parse(chosen.trigger.at);
  const night = address.view ?? nightOf(around, now);
  const choose = (episode: WatchEpisode | null): void => {
    if (episode !== null) change({ at: episode.id, view: null });
  };
  const open = (): void => {
    if (chosen?.captureId) navigate(`/captures/${encodeURIComponent(chosen.captureId)}`);
  };
  const actions = useActions(watch, shown.retry, show);
  useKeys({
    nextTrigger: () => choose(episodeBy(episodes, chosen, 1)),
    previousTrigger: () => choose(episodeBy(episodes, chosen, -1)),
    zoomIn: () => change({ view: zoomed(night, around, 0.5, now) }),
    zoomOut: () => change({ view: zoomed(night, around, 2, now) }),
    panLeft: () => change({ view: moved(night, -0.5, now) }),
    panRight: () => change({ view: moved(night, 0.5, now) }),
    openWatch: open,
    back: () => change({ view: null }),
    ...(actions.record && { recordNow: actions.record }),
  });
  const { definition } = watch;
  return (
    <Page
      title={`${definition.group}, ${texts.watch}`}
      what={<PageTitle name={definition.group} note={stateText(watch, zone, now).text} />}
      actions={
        <>
          <TextLink href="/watches">{texts.allWatches}</TextLink>
          {actions.record === null ? null : (
            <Button disabled={watch.state === "recording"} onClick={actions.record}>
              {texts.recordNow} <Kbd>r</Kbd>
            </Button>
          )}
          {watch.mayChange ? (
            <>
              <Button onClick={actions.pause}>{watch.state === "paused" ? texts.resume : texts.pause}</Button>
              <Button onClick={() => navigate(`/watches/${encodeURIComponent(watch.id)}/edit`)}>
                {texts.editWatch}
              </Button>
            </>
          ) : null}
        </>
      }
      strip={<WatchReplicas watch={watch} now={now} times={times} />}
      notice={notice}
      status={<KeyText everySeconds={definition.everySeconds} />}
      statusRight={texts.pollingGivesMeans}
    >
      <div className={styles.page}>
        <div className={styles.main}>
          <Problem sentence={shown.error ?? shown.episodesError} onRetry={shown.retry} />
          <WatchVerdict
            {...{ watch, episode: chosen, longest, zone, now }}
            isKnown={known !== null}
            onOpen={open}
          />
          <WatchPictures
            {...{ watch, episodes, chosen, night, zone, now }}
            onChoose={(episode) => choose(episodes.find((each) => each.id === episode) ?? null)}
            onMove={(share) => change({ view: moved(night, share, now) })}
          />
          <WatchRecordings
            {...{ watch, episodes, chosen, zone, now }}
            isKnown={known !== null}
            time={address.time}
          />
        </div>
        <WatchPane {...{ watch, episode: chosen, zone, now }} />
      </div>
    </Page>
  );
}

/** Columns of the week in which the longest poll is looked for. */
const WEEK_COLUMNS = 672;

/** The longest poll of the last 7 days, for a watch without triggers, or why it isn't known. */
function useLongest({ id }: Watch, isNeeded: boolean, now: number): LongestPoll {
  const to = nextMinute(now);
  const { value, error } = useAnswer(isNeeded ? watchSeries(id, to - WEEK_MS, to, WEEK_COLUMNS, now) : null);
  if (value === null) return { value: null, reason: error ?? texts.loadingPolls };
  const isPolled = value.polled.some((share) => share > 0);
  return { value: longestIn(value), reason: isPolled ? texts.noCommitsIn7Days : texts.noPollsIn7Days };
}

/** Actions that a person may start on a watch; a failure is shown as a notice. */
function useActions({ id, state, definition }: Watch, onChanged: () => void, show: (notice: string) => void) {
  const person = useAccount()?.person ?? null;
  const record = useCommand(async () => {
    const { state: begun, refusal } = await recordNow(id);
    show(
      begun === "refused"
        ? texts.notRecorded(refusal ?? texts.noReason)
        : texts.recordingBegins(definition.group),
    );
    onChanged();
  });
  const pause = useCommand(async () => {
    await pauseWatch(id, state !== "paused");
    onChanged();
  });
  const error = record.error ?? pause.error;
  useEffect(() => {
    if (error !== null) show(error);
  }, [error, show]);
  return {
    record: mayContribute(person) ? () => !record.isRunning && record.run() : null,
    pause: () => !pause.isRunning && pause.run(),
  };
}

function KeyText({ everySeconds }: { readonly everySeconds: number }): ReactNode {
  return (
    <>
      <span>{texts.onePoll(everySeconds)}</span>
      <span>
        <Kbd>n</Kbd> <Kbd>p</Kbd> {texts.nextPreviousTrigger}
      </span>
      <span>
        <Kbd>+</Kbd> <Kbd>-</Kbd> {texts.zoom}
      </span>
      <span>
        <Kbd>Enter</Kbd> {texts.openRecordingKey}
      </span>
    </>
  );
}
