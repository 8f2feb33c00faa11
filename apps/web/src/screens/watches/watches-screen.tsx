import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearch } from "wouter";
import type { Watch, Watches } from "@aglens/contract";
import { mayContribute } from "../../data/access-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { recordNow } from "../../data/watch-client.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { useCopy } from "../../frame/copy.tsx";
import { SearchIcon } from "../../frame/icons.tsx";
import { PageTitle } from "../../frame/page-title.tsx";
import { Message, Page } from "../../frame/page.tsx";
import { Problem } from "../../frame/problem.tsx";
import { TimesChoice } from "../../frame/times-choice.tsx";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { useAccount } from "../../state/account.ts";
import { navigate } from "../../state/navigate.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { useEachSecond } from "../../ui/use-each-second.ts";
import { UPRIGHT_PHONE, useMedia } from "../../ui/use-media.ts";
import type { Zone } from "../../ui/zone.ts";
import { BrokenWatches } from "./broken-watches.tsx";
import { EmptyWatches } from "./empty-watches.tsx";
import { type ShownWatches, nextMinute, useClock, useWatches } from "./use-watches.ts";
import { type ListAddress, listPath, readListAddress, watchPath } from "./watch-address.ts";
import { DAY_MS, isBroken, listed, stepFrom, WEEK_MS } from "./watch-list.ts";
import { clockOf, dayOf } from "./watch-text.ts";
import { WatchTable } from "./watch-table.tsx";
import { WatchesHead } from "./watches-head.tsx";
import styles from "./watches.module.css";

/** All watches, or those that can't poll with their next steps. A server without watches explains them. */
export function WatchesScreen(): ReactNode {
  const shown = useWatches(null);
  const { value, error, retry } = shown;
  const isBusy = value === null && error === null;
  if (value === null) {
    return (
      <Page title={texts.watches} what={<PageTitle name={texts.watches} />} isBusy={isBusy}>
        {isBusy ? (
          <output className="sr-only">{texts.loading}</output>
        ) : (
          <Message title={texts.watchesCannotBeListed} detail={error} onRetry={retry} />
        )}
      </Page>
    );
  }
  return value.watches.length === 0 ? (
    <EmptyWatches problem={value.problem} />
  ) : (
    <ListedWatches shown={shown} answer={value} />
  );
}

export interface ListProps {
  readonly shown: ShownWatches;
  readonly answer: Watches;
}

function ListedWatches({ shown, answer }: ListProps): ReactNode {
  const address = readListAddress(useSearch());
  const change = (next: Partial<ListAddress>): void =>
    navigate(listPath({ ...address, ...next }), { replace: !("state" in next) });
  const [times, zone] = useClock(address.time, (time) => change({ time }));
  const now = useEachSecond(true);
  const isPhone = useMedia(UPRIGHT_PHONE);
  const [notice, , show] = useCopy();
  const isBrokenList = address.state === "broken";
  const watches = listed(answer.watches, address);
  const to = nextMinute(now);
  const from = to - (isPhone ? DAY_MS : WEEK_MS);
  const { keyed, select } = useListKeys({ watches, shown, address, change, show });
  const mayCreate = mayContribute(useAccount()?.person ?? null);
  return (
    <Page
      title={texts.watches}
      what={
        <PageTitle
          name={texts.watches}
          note={isBrokenList ? texts.thatCantPoll : periodText(zone, from, now)}
        />
      }
      actions={
        <>
          <TextLink href="/captures">{texts.captures}</TextLink>
          <TextLink href="/fleet">{texts.fleet}</TextLink>
          {isBrokenList ? (
            <TextLink href={listPath({})}>{texts.allWatches}</TextLink>
          ) : (
            <Search {...{ address, change }} />
          )}
          {mayCreate ? (
            <Button kind="primary" onClick={() => navigate("/watches/new")}>
              {texts.createWatch}
            </Button>
          ) : null}
        </>
      }
      notice={notice}
      status={<KeyText shown={watches.length} all={answer.watches.length} isBrief={isBrokenList} />}
      statusRight={isBrokenList ? texts.hatchedNotPolled : texts.polledWithoutSession}
    >
      <div className={styles.screen}>
        <Problem sentence={shown.error ?? shown.episodesError ?? answer.problem} onRetry={shown.retry} />
        <WatchesHead watches={answer.watches} episodes={shown.episodes} {...{ address, zone, now }}>
          <TimesChoice times={times} />
        </WatchesHead>
        {watches.length === 0 && !isBrokenList ? (
          <p className={styles.nothing}>
            {texts.noWatchMatches} <TextLink href={listPath({})}>{texts.showAll}</TextLink>
          </p>
        ) : isBrokenList ? (
          <BrokenWatches
            watches={watches.filter(isBroken)}
            episodes={shown.episodes}
            {...{ zone, now, from, to }}
            selected={address.sel}
            onChanged={shown.retry}
            onNotice={show}
          />
        ) : (
          <WatchTable
            watches={watches}
            episodes={shown.episodes}
            {...{ zone, now, from, to, isPhone }}
            selected={address.sel}
            mark={keyed}
            onSelect={select}
          />
        )}
      </div>
    </Page>
  );
}

/** `17 to 24 Nov, 07:40 UTC` */
function periodText(zone: Zone, from: number, now: number): string {
  const [first, last] = [from, now].map((ms) => new Date(ms).toISOString());
  return texts.period(dayOf(zone, first ?? ""), dayOf(zone, last ?? ""), clockOf(zone, last ?? "", 16));
}

interface KeysOfList {
  readonly watches: readonly Watch[];
  readonly shown: ShownWatches;
  readonly address: ListAddress;
  readonly change: (next: Partial<ListAddress>) => void;
  readonly show: (notice: string) => void;
}

/** Keys of the list: the selected watch, the trigger of it that `n` and `p` chose, and a recording by hand. */
function useListKeys({ watches, shown: { episodes, retry }, address, change, show }: KeysOfList) {
  const [keyed, setKeyed] = useState<string | null>(null);
  const selected = watches.find(({ id }) => id === address.sel) ?? null;
  const record = useCommand(async ({ id, definition: { group } }: Watch) => {
    const { state, refusal } = await recordNow(id);
    show(state === "refused" ? texts.notRecorded(refusal ?? texts.noReason) : texts.recordingBegins(group));
    retry();
  });
  const { error } = record;
  useEffect(() => {
    if (error !== null) show(error);
  }, [error, show]);
  const mayRecord = mayContribute(useAccount()?.person ?? null);
  const select = (watch: Watch | null): void => {
    if (watch === null || watch.id === address.sel) return;
    setKeyed(null);
    change({ sel: watch.id });
  };
  const step = (by: 1 | -1): void => {
    const next = stepFrom(watches, address.sel, by);
    select(next);
    if (next !== null) document.getElementById(`watch-${next.id}`)?.focus();
  };
  const stepMark = (by: 1 | -1): void => {
    const watch = selected ?? watches[0] ?? null;
    select(watch);
    const marks = (episodes.get(watch?.id ?? "") ?? []).map(({ id }) => id).toReversed();
    const at = keyed === null ? (by > 0 ? -1 : marks.length) : marks.indexOf(keyed);
    setKeyed(marks[Math.max(0, Math.min(marks.length - 1, at + by))] ?? null);
  };
  useKeys({
    nextChange: () => step(1),
    previousChange: () => step(-1),
    nextTrigger: () => stepMark(1),
    previousTrigger: () => stepMark(-1),
    openWatch: () => {
      if (selected !== null) navigate(watchPath(selected.id, { at: keyed, time: address.time }));
    },
    ...(mayRecord && { recordNow: () => selected !== null && !record.isRunning && record.run(selected) }),
    back: () => change({ q: "", state: null }),
  });
  return { keyed, select };
}

function Search({ address, change }: Pick<KeysOfList, "address" | "change">): ReactNode {
  const field = useRef<HTMLInputElement | null>(null);
  useKeys({ search: () => field.current?.focus() });
  return (
    <label className={styles.search}>
      <SearchIcon />
      <input
        ref={field}
        type="search"
        aria-label={texts.findWatch}
        placeholder={texts.findWatch}
        value={address.q}
        onChange={({ target }) => change({ q: target.value })}
        onKeyDown={({ key }) => {
          if (key === "Escape" || key === "Enter") field.current?.blur();
        }}
      />
      <Kbd>/</Kbd>
    </label>
  );
}

function KeyText(props: {
  readonly shown: number;
  readonly all: number;
  readonly isBrief: boolean;
}): ReactNode {
  const { shown, all, isBrief } = props;
  return (
    <>
      <span>{texts.ofWatches(shown, all)}</span>
      <span>
        <Kbd>j</Kbd> <Kbd>k</Kbd> {texts.row}
      </span>
      <span>
        <Kbd>Enter</Kbd> {texts.openWatch}
      </span>
      {isBrief ? null : (
        <>
          <span>
            <Kbd>n</Kbd> <Kbd>p</Kbd> {texts.nextPreviousTrigger}
          </span>
          <span>
            <Kbd>r</Kbd> {texts.recordNowKey}
          </span>
        </>
      )}
    </>
  );
}
