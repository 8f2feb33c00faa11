import type { ReactNode } from "react";
import type { Watch, WatchEpisode } from "@aglens/contract";
import { timeAxis } from "../../charts/axis.ts";
import { dayText } from "../../charts/watch/days.ts";
import { stripX } from "../../charts/watch/strip.ts";
import { WatchStrip } from "../../charts/watch/watch-strip.tsx";
import { TextButton } from "../../frame/app-bar.tsx";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { useSize } from "../../ui/use-size.ts";
import { ticksOf, type Zone, zoneNameAt } from "../../ui/zone.ts";
import { BlocksLane } from "./blocks-lane.tsx";
import { RecordedLane } from "./recorded-lane.tsx";
import { useStrip } from "../watch-strip/use-strip.ts";
import { lengthText } from "./watch-text.ts";
import { frameOf } from "./watch-view.ts";
import styles from "./watch.module.css";

type Period = readonly [from: number, to: number];

interface Props {
  readonly watch: Watch;
  readonly episodes: readonly WatchEpisode[];
  readonly chosen: WatchEpisode | null;
  readonly night: Period;
  readonly zone: Zone;
  /** ms since 1970. */
  readonly now: number;
  /** Called with the id of a trigger. */
  readonly onChoose: (episode: string) => void;
  /** Called with a share of the night's length. */
  readonly onMove: (share: number) => void;
}

const NIGHT_HEIGHT = 118;
const FRAME_HEIGHT = 128;
/** Room between both pictures, which the funnel crosses, px. */
const FUNNEL = 16;

/** The night, and below it the chosen trigger with its recording on a scale of its own. */
export function WatchPictures({
  watch,
  episodes,
  chosen,
  night,
  zone,
  now,
  onChoose,
  onMove,
}: Props): ReactNode {
  const [ref, { width }] = useSize<HTMLDivElement>();
  const [from, to] = night;
  const { picture, error } = useStrip({
    watch,
    episodes,
    from,
    to,
    width,
    now,
    selected: chosen?.id ?? null,
  });
  const frame = chosen === null ? null : frameOf(chosen, now);
  const scale = { from, to, width, height: NIGHT_HEIGHT };
  const framed = frame === null || frame[1] < from || frame[0] > to ? null : frame;
  const edges = framed?.map((at) => Math.min(width, Math.max(0, stripX(scale, at)))) ?? null;
  const limit = picture.limitMs;
  const minutes = picture.polls === null ? 1 : Math.max(1, Math.round(picture.polls.width / 60_000));
  return (
    <section className={styles.pictures} aria-label={texts.commitDelay}>
      <div className={styles.gutter}>
        <p className={styles.day}>{daysText(zone, from, to)}</p>
        <h2>{texts.commitDelay}</h2>
        <p>{texts.meanOf(lengthText(minutes * 60_000))}</p>
        <div className={styles.move}>
          <TextButton onClick={() => onMove(-0.5)}>{texts.earlier}</TextButton>
          {to >= now ? null : <TextButton onClick={() => onMove(0.5)}>{texts.later}</TextButton>}
        </div>
      </div>
      <div className="narrows relative" ref={ref}>
        <ClockAxis {...{ zone, from, to, width }} />
        <WatchStrip
          {...{ picture, from, to, width, height: NIGHT_HEIGHT, zone }}
          everySeconds={watch.definition.everySeconds}
          name={watch.definition.group}
          onOpen={(_, mark) => mark !== null && onChoose(mark.id)}
        >
          {limit === null ? null : <span className={styles.limit}>{texts.limitOf(limit)}</span>}
          {edges === null ? null : <i className={styles.frame} style={boxOf(edges)} />}
        </WatchStrip>
        {error === null ? null : <p className="bad text-small">{error}</p>}
        {edges === null ? null : (
          <svg className={styles.funnel} width={width} height={FUNNEL} aria-hidden="true">
            <path d={`M${edges[0]} 0H${edges[1]}L${width} ${FUNNEL}H0Z`} />
          </svg>
        )}
      </div>
      {chosen === null || frame === null ? null : (
        <FramePicture {...{ watch, chosen, frame, zone, now, width }} />
      )}
    </section>
  );
}

interface FrameProps extends Pick<Props, "watch" | "zone" | "now"> {
  readonly chosen: WatchEpisode;
  readonly frame: Period;
  readonly width: number;
}

/** Polls around the chosen trigger, and over them what was recorded. */
function FramePicture({ watch, chosen, frame, zone, now, width }: FrameProps): ReactNode {
  const [from, to] = frame;
  // The trigger has a line of its own.
  const { picture, error } = useStrip({ watch, episodes: undefined, from, to, width, now });
  return (
    <>
      <div className={styles.gutter}>
        <p className={styles.day}>{daysText(zone, from, to)}</p>
        <h2>{texts.commitDelay}</h2>
        <p>{texts.minuteNote}</p>
      </div>
      <div className="narrows relative">
        <ClockAxis {...{ zone, from, to, width }} />
        <RecordedLane {...{ episode: chosen, from, to, width, zone, now }} height={FRAME_HEIGHT} />
        <WatchStrip
          {...{ picture, from, to, width, height: FRAME_HEIGHT, zone }}
          everySeconds={watch.definition.everySeconds}
          name={texts.trigger}
        />
        {error === null ? null : <p className="bad text-small">{error}</p>}
      </div>
      {chosen.state === "recorded" && chosen.captureId !== null ? (
        <BlocksLane captureId={chosen.captureId} {...{ from, to, width }} />
      ) : null}
    </>
  );
}

const boxOf = ([left = 0, right = 0]: readonly number[]) => ({ left, width: Math.max(3, right - left) });

/** `23 to 24 Nov, UTC` */
function daysText(zone: Zone, from: number, to: number): string {
  const [first, last] = [from, to - 1].map((at) => dayText(zone, at).slice("Tue ".length));
  return texts.days(
    first === last ? (first ?? "") : `${first} to ${last}`,
    zoneNameAt(zone, new Date(to).toISOString()),
  );
}

/** Width of a label of the clock, px. */
const CLOCK_PX = 76;

function ClockAxis({
  zone,
  from,
  to,
  width,
}: Pick<Props, "zone"> & { from: number; to: number; width: number }) {
  const time = {
    originTicks: ticksOf(new Date(from).toISOString()).toString(),
    durationUs: (to - from) * 1000,
    zone,
  };
  const { ticks } = timeAxis(0, time.durationUs, time, width / CLOCK_PX);
  return (
    <div className={styles.axis} aria-hidden="true">
      {ticks.map(({ at, label }) => (
        <span key={at} style={{ left: (at / time.durationUs) * width }}>
          {label.replace(/^(\d\d:\d\d):00$/u, "$1")}
        </span>
      ))}
    </div>
  );
}
