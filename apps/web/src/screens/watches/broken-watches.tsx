import { type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import type { Watch, WatchedReplica } from "@aglens/contract";
import { WatchStrip } from "../../charts/watch/watch-strip.tsx";
import { mayContribute } from "../../data/access-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { checkReplica, type EpisodesOf, pauseWatch } from "../../data/watch-client.ts";
import { CopyCode } from "../../frame/copy.tsx";
import { watchesTexts as texts } from "../../messages/watches.ts";
import { useAccount } from "../../state/account.ts";
import { navigate } from "../../state/navigate.ts";
import { Button } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { useSize } from "../../ui/use-size.ts";
import type { Zone } from "../../ui/zone.ts";
import { StateLine } from "./state-line.tsx";
import { useStrip } from "../watch-strip/use-strip.ts";
import { watchPath } from "./watch-address.ts";
import { DayAxis } from "./watch-table.tsx";
import { brokenReplica, isWithoutAnswer, lengthText, serversOf, timeOf } from "./watch-text.ts";
import styles from "./broken-watches.module.css";

interface Times {
  readonly zone: Zone;
  /** ms since 1970. */
  readonly now: number;
  readonly from: number;
  readonly to: number;
}

interface Actions {
  readonly onChanged: () => void;
  readonly onNotice: (notice: string) => void;
}

interface Props extends Times, Actions {
  readonly watches: readonly Watch[];
  readonly episodes: EpisodesOf;
  readonly selected: string | null;
}

/** Watches that can't poll: the reason, since when, and what to run or check. */
export function BrokenWatches({ watches, episodes, selected, ...rest }: Props): ReactNode {
  return (
    <ul className={styles.cards} aria-label={texts.watches}>
      {watches.map((watch) => (
        <li key={watch.id} aria-current={watch.id === selected}>
          <BrokenCard watch={watch} episodes={episodes} {...rest} />
        </li>
      ))}
    </ul>
  );
}

const HEIGHT = 92;

function BrokenCard({
  watch,
  episodes,
  onChanged,
  onNotice,
  ...times
}: Times & Actions & Pick<Props, "episodes"> & { readonly watch: Watch }): ReactNode {
  const { zone, now, from, to } = times;
  const { id, definition } = watch;
  const [ref, { width }] = useSize<HTMLDivElement>();
  const { picture } = useStrip({ watch, episodes: episodes.get(id), from, to, width, now });
  const mayActOnServers = mayContribute(useAccount()?.person ?? null);
  return (
    <section className={styles.card} aria-labelledby={`broken-${id}`}>
      <header>
        <h2 id={`broken-${id}`}>
          <Link id={`watch-${id}`} href={watchPath(id)}>
            {definition.group}
          </Link>
        </h2>
        <p className="muted">{serversOf(watch)}</p>
        <StateLine {...{ watch, zone, now }} />
        <p className="quiet">{lengthText(now - Date.parse(watch.since))}</p>
        {mayActOnServers ? <CardActions {...{ watch, onChanged, onNotice }} /> : null}
      </header>
      <div className={styles.axis} aria-hidden="true">
        <DayAxis {...{ zone, from, to, width }} />
      </div>
      <div ref={ref} className={styles.strip}>
        <WatchStrip
          {...{ picture, from, to, width, height: HEIGHT, zone }}
          everySeconds={definition.everySeconds}
          name={definition.group}
          note={texts.notPolled}
          onOpen={(_, mark) => navigate(watchPath(id, { at: mark?.id ?? null }))}
        />
      </div>
      <div className={styles.columns}>
        <Reason watch={watch} zone={zone} />
        <NextStep watch={watch} zone={zone} mayRun={mayActOnServers} now={now} />
      </div>
    </section>
  );
}

/** Asks the server again, or pauses the watch. */
function CardActions({ watch, onChanged, onNotice }: Actions & { readonly watch: Watch }): ReactNode {
  const { id, state, replicas } = watch;
  const broken = brokenReplica(watch);
  const pause = useCommand(async () => {
    await pauseWatch(id, true);
    onChanged();
  });
  const check = useCommand(async (replica: number) => {
    const { problem, maySignIn } = await checkReplica(id, replica);
    onNotice(maySignIn ? texts.maySignIn(nameOf(replicas[replica])) : (problem?.detail ?? texts.noAnswer));
    onChanged();
  });
  const error = pause.error ?? check.error;
  useEffect(() => {
    if (error !== null) onNotice(error);
  }, [error, onNotice]);
  return (
    <div className={styles.actions}>
      {watch.mayChange ? (
        <Button disabled={pause.isRunning} onClick={() => pause.run()}>
          {texts.pauseWatch}
        </Button>
      ) : null}
      {broken === null ? null : (
        <Button kind="primary" disabled={check.isRunning} onClick={() => check.run(replicas.indexOf(broken))}>
          {state === "cannotSignIn" ? texts.checkLogin : texts.tryAgain}
        </Button>
      )}
    </div>
  );
}

const nameOf = (replica: WatchedReplica | undefined | null): string =>
  replica?.serverName || replica?.where || "";

/** Most missed schedules that are named. */
const MOST_MISSED = 3;

/** Why it can't poll, whether AG Lens tries again, and what was missed. */
function Reason({ watch, zone }: { readonly watch: Watch; readonly zone: Zone }): ReactNode {
  const { state, missedSchedules } = watch;
  const broken = brokenReplica(watch);
  const missed = missedSchedules.slice(-MOST_MISSED).map((at) => timeOf(zone, at, 16));
  return (
    <div>
      <h3>{broken?.problem?.detail ?? texts.startsWithSecret}</h3>
      {state === "cannotSignIn" ? <p>{texts.isNotTriedAgain}</p> : null}
      {state === "unreachable" && broken !== null ? (
        <p>
          {broken.retryIn === null
            ? texts.triesSoFar(broken.tries)
            : texts.triesAgain(lengthText(broken.retryIn * 1000), broken.tries)}
        </p>
      ) : null}
      {missed.length === 0 ? null : (
        <p>{texts.missedSchedules(missed.join(", "), missedSchedules.length - missed.length)}</p>
      )}
    </div>
  );
}

/** The statement to run or the parts to check, and the answers of the replicas. */
function NextStep({
  watch: { replicas },
  zone,
  mayRun,
  now,
}: {
  readonly watch: Watch;
  readonly zone: Zone;
  readonly mayRun: boolean;
  readonly now: number;
}): ReactNode {
  const broken = replicas.find(({ problem }) => problem !== null);
  const [host = "", port = "1433"] = (broken?.where ?? "").split(":");
  const sql = broken?.problem?.sql ?? null;
  return (
    <div>
      {sql !== null && mayRun ? (
        <>
          <h3 className={styles.small}>{texts.runOn(nameOf(broken))}</h3>
          <CopyCode code={sql} label={texts.statementFor(nameOf(broken))} />
        </>
      ) : null}
      {broken !== undefined && isWithoutAnswer(broken) ? (
        <>
          <h3 className={styles.small}>{texts.checkNext}</h3>
          <p>{texts.checkService(nameOf(broken))}</p>
          <p>
            {texts.checkPort(port)} <code>{`Test-NetConnection ${host} -Port ${port}`}</code>
          </p>
        </>
      ) : null}
      <FigureTable
        className={styles.replicas}
        caption={texts.replicas}
        isHeadHidden
        rows={replicas}
        rowKey={({ where }) => where}
        columns={[
          { id: "server", head: texts.replicas, align: "left", cell: (each) => <b>{nameOf(each)}</b> },
          { id: "role", head: texts.role, align: "left", cell: ({ role }) => texts.roles[role] },
          {
            id: "state",
            head: texts.state,
            align: "left",
            cell: ({ problem }) =>
              problem === null
                ? texts.polled
                : isWithoutAnswer({ problem })
                  ? texts.noAnswer
                  : texts.notPolled,
            cellProps: ({ problem }) => ({ "data-bad": problem !== null }),
          },
          { id: "poll", head: texts.polls, cell: (each) => polledText(each, zone, now) },
        ]}
      />
    </div>
  );
}

function polledText({ polled, problem }: WatchedReplica, zone: Zone, now: number): string {
  if (polled === null) return texts.neverPolled;
  return problem === null
    ? texts.polledAgo(lengthText(now - Date.parse(polled)))
    : texts.lastPoll(timeOf(zone, polled));
}
