/** What the servers say of themselves once a second, as small lanes under the timeline. */
import type { LivePoll, LiveReplica } from "@aglens/contract";
import type { TokenName } from "../../lanes/palette.ts";
import { durationLabel } from "../../charts/axis.ts";
import { type Figure, formatCount, formatDuration } from "../../ui/words.ts";

export interface GaugeStep {
  /** µs; the value holds from `from` to `to`. */
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

export interface Gauge {
  readonly key: string;
  readonly label: string;
  readonly words: string;
  readonly colour: TokenName;
  readonly steps: readonly GaugeStep[];
  /** The newest value; en dash when there is none. */
  readonly now: Figure;
  readonly format: (value: number) => Figure;
  /** Formats the round value at the top of its scale. */
  readonly scale: (value: number) => string;
}

const WAITS: readonly { type: string; colour: TokenName }[] = [
  { type: "HADR_SYNC_COMMIT", colour: "--wait" },
  { type: "WRITELOG", colour: "--p-disk" },
];

const plain = (value: number): Figure => ({ value: figureText(value), unit: "" });
const size = (kb: number): Figure =>
  kb < 1000
    ? { value: formatCount(Math.round(kb)), unit: "KB" }
    : { value: (kb / 1000).toFixed(kb < 10_000 ? 2 : 1), unit: "MB" };
const plainScale = (value: number): string => String(Number(value.toFixed(3)));
const sizeScale = (kb: number): string => (kb < 1000 ? `${kb}\u2009KB` : `${kb / 1000}\u2009MB`);
const timeScale = (ms: number): string => durationLabel(ms * 1000).replace(" ", "\u2009");
const writeTime = (ms: number): Figure => formatDuration(ms * 1000);

function figureText(value: number): string {
  if (value >= 100 || Number.isInteger(value)) return formatCount(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

type Pick = (poll: LivePoll) => number | null | undefined;

function stepsOf(polls: readonly LivePoll[], replica: number, pick: Pick): GaugeStep[] {
  return polls
    .filter((poll) => poll.replica === replica)
    .map((poll) => ({ from: poll.at - poll.seconds * 1e6, to: poll.at, value: pick(poll) ?? Number.NaN }))
    .filter((step) => !Number.isNaN(step.value))
    .sort((a, b) => a.from - b.from);
}

const sum = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((total, value) => total + value, 0);

const sumOf = (values: readonly (number | null)[]): number | null => sum(values.filter((v) => v !== null));

/** Of all log files of a server: ms per write, weighted by writes. */
function msPerWrite({ logWrites }: LivePoll): number | null {
  const known = logWrites.filter((file) => file.msPerWrite !== null && file.writes > 0);
  const writes = sum(known.map((file) => file.writes));
  const spent = sum(known.map((file) => (file.msPerWrite ?? 0) * file.writes));
  return writes === null || spent === null ? null : spent / writes;
}

function waiting(poll: LivePoll, type: string): number | null {
  if (!(poll.seconds > 0)) return null;
  const wait = poll.waits.find((entry) => entry.type === type);
  return (wait?.waitMs ?? 0) / (poll.seconds * 1000);
}

type Draft = Omit<Gauge, "steps" | "now"> & { readonly replica: number; readonly pick: Pick };

function ofPrimary(primary: LiveReplica): Draft[] {
  const at = { replica: primary.index };
  return WAITS.map(({ type, colour }) => ({
    ...at,
    key: `wait.${type}`,
    label: type,
    words: "sessions waiting, mean",
    colour,
    format: plain,
    scale: plainScale,
    pick: (poll) => waiting(poll, type),
  }));
}

function ofSecondary(primary: LiveReplica, secondary: LiveReplica): Draft[] {
  const id = secondary.replicaId;
  const queue = (poll: LivePoll, pick: (q: LivePoll["queues"][number]) => number | null): number | null =>
    sumOf(poll.queues.filter((q) => q.replicaId === id).map(pick));
  return [
    {
      key: `send.${secondary.index}`,
      label: `Send queue, ${secondary.name}`,
      words: "log not yet sent",
      colour: "--n-out",
      format: size,
      scale: sizeScale,
      replica: primary.index,
      pick: (poll) => queue(poll, (q) => q.sendQueueKb),
    },
    {
      key: `redo.${secondary.index}`,
      label: `Redo queue, ${secondary.name}`,
      words: "log not yet redone",
      colour: "--s-work",
      format: size,
      scale: sizeScale,
      replica: primary.index,
      pick: (poll) => queue(poll, (q) => q.redoQueueKb),
    },
  ];
}

function logFiles(replica: LiveReplica): Draft {
  return {
    key: `file.${replica.index}`,
    label: `Log files, ${replica.name}`,
    words: "ms per write, mean of all log files",
    colour: replica.role === "primary" ? "--p-disk" : "--s-disk",
    format: writeTime,
    scale: timeScale,
    replica: replica.index,
    pick: msPerWrite,
  };
}

function runnableTasks(replica: LiveReplica): Draft {
  return {
    key: `runnable.${replica.index}`,
    label: `Runnable, ${replica.name}`,
    words: "tasks waiting for a CPU",
    colour: replica.role === "primary" ? "--p-work" : "--s-work",
    format: plain,
    scale: plainScale,
    replica: replica.index,
    pick: (poll) => poll.schedulers?.runnable,
  };
}

/** Every gauge that has something to show, the waits of the primary first. */
export function gaugesOf(replicas: readonly LiveReplica[], polls: readonly LivePoll[]): Gauge[] {
  const primary = replicas.find((replica) => replica.role === "primary");
  const drafts = [
    ...(primary ? ofPrimary(primary) : []),
    ...replicas.map(logFiles),
    ...(primary
      ? replicas.filter((r) => r.role === "secondary").flatMap((s) => ofSecondary(primary, s))
      : []),
    ...replicas.map(runnableTasks),
  ];
  return drafts.flatMap(({ replica, pick, ...gauge }) => {
    const steps = stepsOf(polls, replica, pick);
    const last = steps.at(-1);
    return last === undefined ? [] : [{ ...gauge, steps, now: gauge.format(last.value) }];
  });
}

/** Top of a gauge's scale: the next 1, 2 or 5 over what it shows, at least `least`. */
export function scaleTop(steps: readonly GaugeStep[], from: number, to: number): number {
  const most = steps.reduce((top, s) => (s.to > from && s.from < to ? Math.max(top, s.value) : top), 0);
  if (!(most > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((factor) => factor * power >= most) ?? 10) * power;
}
