/** The words of a message, which all formats share: subject, verdict, figure, window, links. */
import { filetimeOfUnixMs } from "xel-parser/format";
import {
  formatDayAndTime,
  formatDuration,
  formatRoughly,
  formatTimeOfDay,
  figureText,
  sizeFigure,
} from "@aglens/ag-model/words";
import type { MessageRecord, ToldEpisode, ToldNews } from "./message.ts";

const SPACE = "\u00A0";

export interface MessageWords {
  /** "SALES-AG: SQL2 log write slow for 3 min 23 s" */
  readonly subject: string;
  /** The verdict, or what a person needs first. */
  readonly lead: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly notes: readonly string[];
  readonly checkNext: readonly string[];
  /** The main one first; empty where the server has no public address. */
  readonly links: readonly { readonly label: string; readonly url: string }[];
  readonly footer: readonly string[];
}

type Told = Pick<MessageRecord, "news" | "watch" | "made">;

/** @param publicUrl of the server; null where it has none */
export function wordsOf(told: Told, publicUrl: string | null): MessageWords {
  const words = allWords(told, publicUrl);
  // Rules of mailboxes and ticket systems compare subjects.
  return { ...words, subject: words.subject.replaceAll(SPACE, " ") };
}

function allWords({ news, watch, made }: Told, publicUrl: string | null): MessageWords {
  const base = publicUrl?.replace(/\/+$/u, "") ?? null;
  const link = (label: string, path: string): MessageWords["links"] =>
    base === null ? [] : [{ label, url: `${base}${path}` }];
  const watchPath = `/watches/${encodeURIComponent(watch.id)}`;
  const toEpisode = ({ id }: ToldEpisode): MessageWords["links"] =>
    link("Open watch", `${watchPath}?at=${encodeURIComponent(id)}`);
  const createdBy = watch.createdBy === null ? "" : `, created by ${watch.createdBy}`;
  const footer = [
    `Watch ${watch.group}${createdBy}.`,
    ...(base === null ? [] : ["A link needs sign-in."]),
    "This message has no statement text and no logins.",
  ];
  const said = { facts: [], notes: [], checkNext: [], footer } as const;
  switch (news.kind) {
    case "test":
      return {
        ...said,
        subject: "Test message",
        lead: "AG Lens can send messages of watches to this receiver.",
        links: link("Open watches", "/watches"),
        footer: [],
      };
    case "broken":
      return { ...said, ...brokenWords(watch.group, news), links: link("Open watch", watchPath) };
    case "mended": {
      const length = lengthOf(news.since, made);
      return {
        ...said,
        subject: `${watch.group}: ${news.server ?? "the group"} is polled again after ${length}`,
        lead: `${news.server ?? watch.group} is polled again. It wasn't polled from ${period(news.since, made)}.`,
        links: link("Open watch", watchPath),
      };
    }
    case "start":
    case "refused":
      return {
        ...said,
        subject: `${watch.group}: ${beginText(news.episode, news.kind === "start")}`,
        lead: sentences(
          valueText(news.episode),
          news.kind === "start" ? recordedText(news.episode) : refusalText(news.episode),
        ),
        facts: [triggerFact(news.episode)],
        links: toEpisode(news.episode),
      };
    default: {
      const { episode } = news;
      return {
        ...said,
        subject: `${watch.group}: ${endText(episode)}`,
        lead: episode.verdict ?? withoutVerdict(episode),
        facts: endFacts(episode, watch),
        notes: endNotes(episode),
        checkNext: episode.results?.checkNext ?? [],
        links: [
          ...(episode.captureId === null
            ? []
            : link("Open recording", `/captures/${encodeURIComponent(episode.captureId)}?from=watch`)),
          ...toEpisode(episode),
        ],
      };
    }
  }
}

/** All as text: also what a client without blocks or cards shows. */
export function plainText({ lead, facts, notes, checkNext, links, footer }: MessageWords): string {
  const parts = [
    lead,
    facts.map(({ label, value }) => `${label}: ${value}`).join("\n"),
    notes.join(" "),
    checkNext.length === 0 ? "" : ["Check next:", ...checkNext.map((each) => `- ${each}`)].join("\n"),
    links.map(({ label, url }) => `${label}: ${url}`).join("\n"),
    footer.join(" "),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

type Polls = Exclude<ToldNews, { episode: unknown } | { kind: "test" }>;

function brokenWords(
  group: string,
  { server, since, code }: Polls,
): Pick<MessageWords, "subject" | "lead" | "notes"> {
  const name = server ?? group;
  const next = REASONS[code ?? ""]?.[1] ?? "The page of the watch shows the reason.";
  return {
    subject: `${group}: ${server ?? "the group"} isn't polled`,
    lead: sentences(reasonOf(code, name), `It hasn't been polled since ${dayTime(since)} UTC.`),
    notes: [next],
  };
}

/** Reason why a replica isn't polled, without names of logins and files. @param name of the replica, or the group */
export const reasonOf = (code: string | null, name: string): string =>
  (REASONS[code ?? ""]?.[0] ?? "AG Lens can't poll #.").replace("#", () => name);

const AGAIN = "AG Lens tries again once a minute. One message follows when it works.";
const BY_PERSON = "AG Lens doesn't try again until the file of logins changes, or a person checks again.";

/** Reason and next step by the failure's code. Details of a failure stay on the page, because they may have names. */
const REASONS: Readonly<Record<string, readonly [reason: string, next: string]>> = {
  "live-unreachable": ["# doesn't answer.", AGAIN],
  "live-connection-lost": ["The connection to # was lost.", AGAIN],
  "live-disconnected": ["The connection to # was lost.", AGAIN],
  "live-starting": ["# is not ready.", AGAIN],
  "live-busy": ["# is too busy to answer.", AGAIN],
  "live-other-server": ["Another server answers in place of #.", AGAIN],
  "live-login-refused": ["AG Lens can't sign in to #.", BY_PERSON],
  "live-permission": [
    "The login of the watch doesn't have all permissions on #.",
    "The page of the watch shows the GRANT statement.",
  ],
  "live-certificate": ["The certificate of # isn't trusted.", "The page of the watch shows the reason."],
  "watch-file": [
    "The login for # can't be read.",
    "Check the file that AGLENS_WATCH_FILE names. The page of the watch shows the reason.",
  ],
};

/** The subject while an episode lasts. */
function beginText({ trigger: { rule } }: ToldEpisode, isRecorded: boolean): string {
  const by = ASKED_BY[rule];
  if (by !== undefined) return isRecorded ? `recording started by ${by}` : `recording by ${by} refused`;
  return `${HAPPENING[rule] ?? "trigger"}, ${isRecorded ? "recording" : "not recorded"}`;
}

type ByRule<Value> = Readonly<Partial<Record<ToldEpisode["trigger"]["rule"], Value>>>;

const HAPPENING: ByRule<string> = {
  commitDelay: "commits are slow",
  timesUsual: "commits are slow",
  sendQueue: "log send queue is long",
  rpo: "estimated data loss (RPO) is high",
  state: "state changed",
};

/** Rules without a condition: a recording is all that they are about. */
const ASKED_BY: ByRule<string> = { schedule: "schedule", hand: "a user", http: "a program" };

/** Value and usual of the poll that met the rule; empty for a rule without a value. */
function valueText({ trigger: { rule, value, usual } }: ToldEpisode): string {
  if (value === null) return "";
  const [subject, format] = VALUES[rule] ?? [];
  if (subject === undefined || format === undefined) return "";
  return `${subject} is ${format(value)}${usual === null ? "" : `, usual is ${format(usual)}`}.`;
}

const milliseconds = (ms: number): string => formatDuration(ms * 1_000);

/** Polls give means: these sentences name the value that was polled. */
const VALUES: ByRule<readonly [string, (value: number) => string]> = {
  commitDelay: ["Polled mean commit delay", milliseconds],
  timesUsual: ["Polled mean commit delay", milliseconds],
  sendQueue: ["Log send queue", (kb) => figureText(sizeFigure(kb * 1_024), SPACE)],
  rpo: ["Estimated data loss (RPO)", (seconds) => formatRoughly(seconds * 1e6)],
};

function recordedText({ recordedOn, missing }: ToldEpisode): string {
  return sentences(
    recordedOn.length === 0 ? "The recording begins." : `${areText(recordedOn)} recorded.`,
    missing.length === 0 ? "" : `${areText(missing)} not recorded.`,
  );
}

const refusalText = ({ refusal }: ToldEpisode): string =>
  `Not recorded: ${refusal ?? "the page of the watch shows the reason."}`;

function endText(episode: ToldEpisode): string {
  const { trigger, ended, results } = episode;
  const window = results?.window ?? null;
  const stage = results?.stage ?? null;
  if (stage !== null && window !== null) return `${stage} slow for ${lengthOf(window.from, window.to)}`;
  const length = ended === null ? "" : ` after ${lengthOf(trigger.at, ended)}`;
  const subject = ASKED_BY[trigger.rule] === undefined ? "episode" : "recording";
  return `${subject} ended${length}${episode.captureId === null ? ", not recorded" : ""}`;
}

/** The lead of an episode without a verdict: always with its reason. */
function withoutVerdict(episode: ToldEpisode): string {
  if (episode.state === "refused") return refusalText(episode);
  const reason = {
    recording: "the recording has no result",
    analyzing: "the analysis isn't finished",
    recorded:
      episode.missing.length === 0
        ? "the recording has no result"
        : `${episode.missing.length === 1 ? `${episode.missing[0]} wasn't` : `${listed(episode.missing)} weren't`} recorded`,
    failed: "the recording failed",
    lost: "AG Lens ended during the recording",
  }[episode.state];
  return `Can't determine where commits waited because ${reason}.`;
}

function endFacts(
  { p95Us, results, trigger, ended, recordedFrom, recordedTo, ...episode }: ToldEpisode,
  watch: MessageRecord["watch"],
): MessageWords["facts"] {
  const inside = results?.p95InsideUs ?? p95Us;
  const outside = results?.p95InsideUs == null ? null : results.p95OutsideUs;
  const window = results?.window ?? (ended === null ? null : { from: trigger.at, to: ended });
  const otherwise = outside === null ? "" : `, otherwise ${formatDuration(outside)}`;
  const recorded =
    recordedFrom === null || recordedTo === null
      ? []
      : [
          {
            label: "Recording",
            value: `${lengthOf(recordedFrom, recordedTo)}, ${watch.recordings} of ${watch.mostRecordings} this week`,
          },
        ];
  return [
    ...(inside === null ? [] : [{ label: "Commit p95", value: `${formatDuration(inside)}${otherwise}` }]),
    ...(window === null ? [] : [{ label: "Window", value: period(window.from, window.to) }]),
    triggerFact({ ...episode, trigger }),
    ...recorded,
  ];
}

function triggerFact({ trigger }: Pick<ToldEpisode, "trigger">): MessageWords["facts"][number] {
  return { label: "Trigger", value: `${trigger.text}, ${dayTime(trigger.at)} UTC` };
}

function endNotes({ recordedFrom, recordedTo, recordedOn, missing, trigger }: ToldEpisode): string[] {
  if (recordedFrom === null || recordedTo === null) return [];
  const before = (Date.parse(trigger.at) - Date.parse(recordedFrom)) / 1_000;
  const servers = recordedOn.length === 0 ? "" : ` on ${listed(recordedOn)}`;
  return [
    `Recorded${servers} from ${period(recordedFrom, recordedTo)}.`,
    ...(before >= 1
      ? [`The recording begins ${formatRoughly(Math.round(before) * 1e6)} before the trigger.`]
      : []),
    ...(missing.length === 0 ? [] : [`${areText(missing)} not recorded.`]),
  ];
}

const ticksOf = (iso: string): bigint => filetimeOfUnixMs(Date.parse(iso));

/** "24 Nov 02:41:07" */
const dayTime = (iso: string): string => formatDayAndTime(ticksOf(iso), 0);

/** "02:41:28" */
export const timeOfDay = (iso: string): string => formatTimeOfDay(ticksOf(iso), 0);

/** "24 Nov 02:41:07 to 02:44:30 UTC" */
function period(from: string, to: string): string {
  const [first, last] = [dayTime(from), dayTime(to)];
  const isOneDay = first.slice(0, -8) === last.slice(0, -8);
  return `${first} to ${isOneDay ? timeOfDay(to) : last} UTC`;
}

/** "3 min 23 s" */
const lengthOf = (from: string, to: string): string =>
  formatDuration(Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1_000)) * 1e6);

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const areText = (names: readonly string[]): string => `${listed(names)} ${names.length === 1 ? "is" : "are"}`;

const sentences = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");
