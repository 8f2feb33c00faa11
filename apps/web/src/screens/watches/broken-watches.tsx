import { Fragment, type ReactNode, useEffect } from "react";
import { Link } from "wouter";
import type { Watch, WatchCheck, WatchedReplica, WatchReplica } from "@aglens/contract";
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
import {
  type BrokenReplica,
  brokenReplicas,
  isLoginRefused,
  isWithoutAnswer,
  lengthText,
  nameOf,
  serversOf,
  timeOf,
} from "./watch-text.ts";
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

/** Asks the servers again, or pauses the watch. */
function CardActions({ watch, onChanged, onNotice }: Actions & { readonly watch: Watch }): ReactNode {
  const { id, replicas } = watch;
  const broken = brokenReplicas(watch);
  const pause = useCommand(async () => {
    await pauseWatch(id, true);
    onChanged();
  });
  const check = useCommand(async (replica: BrokenReplica) => {
    const found = await checkReplica(id, replicas.indexOf(replica));
    onNotice(checkedText(found, nameOf(replica)));
    onChanged();
  });
  const error = pause.error ?? check.error;
  useEffect(() => {
    if (error !== null) onNotice(error);
  }, [error, onNotice]);
  const labelOf = (replica: BrokenReplica): string => {
    const isLogin = isLoginRefused(replica.problem);
    if (broken.length === 1) return isLogin ? texts.checkLogin : texts.tryAgain;
    return (isLogin ? texts.checkLoginOn : texts.tryServerAgain)(nameOf(replica));
  };
  return (
    <div className={styles.actions}>
      {watch.mayChange ? (
        <Button disabled={pause.isRunning} onClick={() => pause.run()}>
          {texts.pauseWatch}
        </Button>
      ) : null}
      {broken.map((replica) => (
        <Button
          key={replica.where}
          kind="primary"
          disabled={check.isRunning}
          onClick={() => check.run(replica)}
        >
          {labelOf(replica)}
        </Button>
      ))}
    </div>
  );
}

function checkedText({ maySignIn, mayWatch, problem }: WatchCheck, server: string): string {
  if (!maySignIn) return problem?.detail ?? texts.noAnswer;
  return (mayWatch ? texts.maySignIn : texts.lacksPermission)(server);
}

/** Most missed schedules that are named. */
const MOST_MISSED = 3;

/** Why it can't poll, whether AG Lens tries again, and what was missed. */
function Reason({ watch, zone }: { readonly watch: Watch; readonly zone: Zone }): ReactNode {
  const { missedSchedules } = watch;
  const broken = brokenReplicas(watch);
  const missed = missedSchedules.slice(-MOST_MISSED).map((at) => timeOf(zone, at, 16));
  return (
    <div>
      {broken.length === 0 ? <h3>{texts.startsWithSecret}</h3> : null}
      {broken.map((replica) => {
        const tries = triesText(replica);
        return (
          <Fragment key={replica.where}>
            <h3>{replica.problem.detail}</h3>
            {tries === null ? null : <p>{tries}</p>}
          </Fragment>
        );
      })}
      {missed.length === 0 ? null : (
        <p>{texts.missedSchedules(missed.join(", "), missedSchedules.length - missed.length)}</p>
      )}
    </div>
  );
}

function triesText({ problem, retryIn, tries }: BrokenReplica): string | null {
  if (retryIn !== null) return texts.triesAgain(lengthText(retryIn * 1000), tries);
  if (isLoginRefused(problem)) return texts.continuesWithLogin;
  return tries === 0 ? null : texts.triesSoFar(tries);
}

/** Statements to run or parts to check, and the answers of the replicas. */
function NextStep({
  watch,
  zone,
  mayRun,
  now,
}: {
  readonly watch: Watch;
  readonly zone: Zone;
  readonly mayRun: boolean;
  readonly now: number;
}): ReactNode {
  const { replicas, definition } = watch;
  return (
    <div>
      {brokenReplicas(watch).map((replica) => (
        <NextStepOn
          key={replica.where}
          replica={replica}
          server={definition.replicas[replicas.indexOf(replica)]?.server}
          mayRun={mayRun}
        />
      ))}
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
              problem === null ? texts.polled : isWithoutAnswer(problem) ? texts.noAnswer : texts.notPolled,
            cellProps: ({ problem }) => ({ "data-bad": problem !== null }),
          },
          { id: "poll", head: texts.polls, cell: (each) => polledText(each, zone, now) },
        ]}
      />
    </div>
  );
}

interface StepProps {
  readonly replica: BrokenReplica;
  readonly server: WatchReplica["server"] | undefined;
  readonly mayRun: boolean;
}

function NextStepOn({ replica, server, mayRun }: StepProps): ReactNode {
  const { problem } = replica;
  const name = nameOf(replica);
  const port = String(server?.port ?? 1433);
  return (
    <>
      {problem.sql !== null && mayRun ? (
        <>
          <h3 className={styles.small}>{texts.runOn(name)}</h3>
          <CopyCode code={problem.sql} label={texts.statementFor(name)} />
        </>
      ) : null}
      {isWithoutAnswer(problem) ? (
        <>
          <h3 className={styles.small}>{texts.checkNext}</h3>
          <p>{texts.checkService(name)}</p>
          {/* The port of an instance isn't known. */}
          {server === undefined || server.instance !== undefined ? null : (
            <p>
              {texts.checkPort(port)} <code>{`Test-NetConnection ${server.host} -Port ${port}`}</code>
            </p>
          )}
        </>
      ) : null}
    </>
  );
}

function polledText({ polled, problem }: WatchedReplica, zone: Zone, now: number): string {
  if (polled === null) return texts.neverPolled;
  return problem === null
    ? texts.polledAgo(lengthText(now - Date.parse(polled)))
    : texts.lastPoll(timeOf(zone, polled));
}
