import { type ReactNode, useMemo } from "react";
import { Link } from "wouter";
import type { Watch, WatchEpisode } from "@aglens/contract";
import { type DayTick, dayTicks } from "../../charts/watch/days.ts";
import { stripX } from "../../charts/watch/strip.ts";
import { WatchStrip } from "../../charts/watch/watch-strip.tsx";
import type { EpisodesOf } from "../../data/watch-client.ts";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { navigate } from "../../state/navigate.ts";
import { useSize } from "../../ui/use-size.ts";
import { clockName, type Zone } from "../../ui/zone.ts";
import { StripLegend } from "./strip-legend.tsx";
import { useStrip } from "../watch-strip/use-strip.ts";
import { watchPath } from "./watch-address.ts";
import { StateLine } from "./state-line.tsx";
import { isBroken } from "./watch-list.ts";
import { dayOf, episodeText, lengthText, needText, serversOf, timeOf, whenOf } from "./watch-text.ts";
import styles from "./watches.module.css";

interface Times {
  readonly zone: Zone;
  /** ms since 1970. */
  readonly now: number;
  readonly from: number;
  readonly to: number;
}

interface Props extends Times {
  readonly watches: readonly Watch[];
  readonly episodes: EpisodesOf;
  readonly isPhone: boolean;
  /** Id of the selected watch, and of its trigger with a frame. */
  readonly selected: string | null;
  readonly mark: string | null;
  readonly onSelect: (watch: Watch) => void;
}

/** A row per watch, with all strips on one axis. */
export function WatchTable({
  watches,
  episodes,
  isPhone,
  selected,
  mark,
  onSelect,
  ...times
}: Props): ReactNode {
  const { zone, from, to } = times;
  const [plotRef, { width }] = useSize<HTMLDivElement>();
  return (
    <>
      <div className={styles.heads}>
        <span>{texts.availabilityGroup}</span>
        <div ref={plotRef} className={styles.axis} aria-hidden="true">
          <DayAxis {...{ zone, from, to, width }} />
        </div>
        <span className={styles.verdict}>{texts.lastTriggerVerdict}</span>
        <span className={styles.schedule}>{texts.nextScheduleIn(clockName(zone))}</span>
        <span>{texts.recordingsThisWeek}</span>
      </div>
      <ul aria-label={texts.watches}>
        {watches.map((watch) => (
          <WatchRow
            key={watch.id}
            watch={watch}
            episodes={episodes.get(watch.id)}
            width={width}
            height={isPhone ? 60 : 75}
            {...times}
            isSelected={watch.id === selected}
            mark={watch.id === selected ? mark : null}
            onSelect={() => onSelect(watch)}
          />
        ))}
      </ul>
      <StripLegend width={width} span={to - from} />
    </>
  );
}

/** Width of a day's label, px. */
const DAY_PX = 74;
/** A label may end so far behind the axis. */
const EDGE_PX = 22;

/** Days over the strips; labels that have no room are skipped. */
export function DayAxis({
  zone,
  from,
  to,
  width,
}: Omit<Times, "now"> & { readonly width: number }): ReactNode {
  const ticks = useMemo(() => dayTicks(zone, from, to), [zone, from, to]);
  const scale = { from, to, width, height: 0 };
  const every = Math.max(1, Math.ceil((DAY_PX * ticks.length) / Math.max(1, width)));
  return ticks
    .filter(
      ({ at }: DayTick, i) => (ticks.length - 1 - i) % every === 0 && stripX(scale, at) < width - EDGE_PX,
    )
    .map(({ at, label }) => (
      <span key={at} style={{ left: stripX(scale, at) }}>
        {label}
      </span>
    ));
}

interface RowProps extends Times {
  readonly watch: Watch;
  readonly episodes: readonly WatchEpisode[] | undefined;
  /** Size of the strip, px. */
  readonly width: number;
  readonly height: number;
  readonly isSelected: boolean;
  readonly mark: string | null;
  readonly onSelect: () => void;
}

function WatchRow({
  watch,
  episodes,
  width,
  height,
  isSelected,
  mark,
  onSelect,
  ...times
}: RowProps): ReactNode {
  const { zone, now, from, to } = times;
  const { id, definition } = watch;
  const { picture, error } = useStrip({ watch, episodes, from, to, width, now, selected: mark });
  const open = (ms: number, markId: string | null): void => {
    const episode = episodes?.find((each) => each.id === markId);
    if (episode?.captureId) navigate(`/captures/${encodeURIComponent(episode.captureId)}`);
    else navigate(watchPath(id, markId === null ? { view: nightAround(ms) } : { at: markId }));
  };
  return (
    <li className={styles.row} aria-current={isSelected}>
      <div className={styles.name}>
        <h2>
          <Link id={`watch-${id}`} href={watchPath(id, { at: mark })} onFocus={onSelect}>
            {definition.group}
          </Link>
        </h2>
        <p>{serversOf(watch)}</p>
        <StateLine {...{ watch, zone, now }} />
      </div>
      <div className={styles.strip}>
        <WatchStrip
          {...{ picture, from, to, width, height, zone }}
          everySeconds={definition.everySeconds}
          name={definition.group}
          note={watch.state === "paused" ? texts.pausedNotPolled : undefined}
          onOpen={(at, found) => open(at, found?.id ?? null)}
        />
        {error === null ? null : <p className="bad text-small">{error}</p>}
      </div>
      <LastTrigger watch={watch} {...{ zone, now }} />
      <div className={styles.schedule}>
        <Schedule watch={watch} zone={zone} />
      </div>
      <Week watch={watch} />
    </li>
  );
}

const HALF_NIGHT_MS = 4 * 3_600_000;

/** The hours around a time. */
const nightAround = (at: number): readonly [number, number] => [at - HALF_NIGHT_MS, at + HALF_NIGHT_MS];

function LastTrigger({ watch, zone, now }: Pick<RowProps, "watch" | "zone" | "now">): ReactNode {
  const { lastEpisode, created } = watch;
  if (lastEpisode === null) {
    return (
      <div className={styles.verdict}>
        <p>{texts.noTriggerSince(dayOf(zone, created))}</p>
        <Schedule watch={watch} zone={zone} isBelow />
      </div>
    );
  }
  const { trigger, place } = lastEpisode;
  const { lead, text } = episodeText(lastEpisode, zone);
  return (
    <div className={styles.verdict} data-place={place ?? "none"} data-marked="true">
      <p className={styles.sentence}>
        {lead === null ? null : <b>{lead} </b>}
        {text}
      </p>
      <p className={styles.when}>
        {whenOf(zone, trigger.at, now)}. {trigger.text}
      </p>
      <Schedule watch={watch} zone={zone} isBelow />
    </div>
  );
}

/** The next schedule: in its column, or below the verdict where that column has no room. */
function Schedule({
  watch,
  zone,
  isBelow = false,
}: {
  readonly watch: Watch;
  readonly zone: Zone;
  readonly isBelow?: boolean;
}): ReactNode {
  const { nextSchedule, state } = watch;
  if (isBelow && nextSchedule === null) return null;
  const note =
    state === "paused"
      ? texts.pausedPart
      : isBroken(watch)
        ? needText(watch)
        : nextSchedule === null
          ? ""
          : texts.forTime(lengthText(nextSchedule.forSeconds * 1000));
  const time = nextSchedule === null ? texts.none : timeOf(zone, nextSchedule.at, 16);
  return (
    <p className={isBelow ? styles.below : undefined}>
      {isBelow ? `${texts.nextSchedule}: ` : null}
      <span>{time}</span> <small>{note}</small>
    </p>
  );
}

function Week({ watch: { week, definition } }: { readonly watch: Watch }): ReactNode {
  const most = definition.recording.mostPerWeek;
  return (
    <div className={styles.week}>
      <p>
        <span className="sr-only">{texts.recordingsThisWeek}: </span>
        <b>{week.recordings}</b> {texts.ofMost(most)}
      </p>
      <i
        style={{ "--part": Math.min(1, week.recordings / most) } as React.CSSProperties}
        aria-hidden="true"
      />
      {week.refused === 0 ? null : <small>{texts.refusedCount(week.refused)}</small>}
    </div>
  );
}
