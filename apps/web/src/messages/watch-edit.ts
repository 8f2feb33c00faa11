import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the page that creates and edits a watch. */
export const watchEditTexts = {
  createWatch: "Create watch",
  editWatch: "Edit watch",
  titleOf: (title: string, group: string): string => `${title}: ${group}`,
  allWatches: "All watches",
  watchesAreNotPossible: "Watches aren't possible now.",
  noLogin: "The watch file has no login. Ask the operator of AG Lens to add one.",
  askAContributor: "Only contributors and admins create watches.",
  askAContributorFor: "Ask a contributor to watch this availability group.",
  noSuchWatch: "This watch doesn't exist.",
  itMayBeDeleted: "It may have been deleted. See all watches.",
  notYours: "You can't change this watch.",
  onlyItsOwner: (owner: string | null): string =>
    owner === null ? "Only an admin can change it." : `Only ${owner} or an admin can change it.`,
  passwordStays: "The password stays in the secret file on this server and is never stored in the catalog",
  nextField: "next field",
  saveWatchKey: "save watch",
  cancelKey: "cancel",

  // Replicas
  replicas: "Replicas",
  primaryServer: "Primary",
  login: "Login",
  findReplicas: "Find replicas",
  finding: "Asking…",
  nameThePrimary:
    "Enter the primary. AG Lens finds the other replicas and asks each for the rights of the login.",
  changeThePrimary: "Change primary or login",
  group: "Availability group",
  groupHasNone: (server: string): string =>
    `${server} has no availability group. Enter the primary of the group to watch.`,
  groupIsHidden: (server: string): string =>
    `The login can't see the groups of ${server}. Grant VIEW ANY DEFINITION, then find the replicas again.`,
  notInFile: (name: string): string => `${name}, not in the watch file`,
  server: "Server",
  roleFrom: (server: string | null): string => (server === null ? "Role" : `Role, found from ${server}`),
  signIn: "Sign-in",
  watch: "Watch",
  record: "Record",
  asking: "asking…",
  notAsked: "not asked",
  signsIn: "signs in",
  refused: "refused",
  granted: "granted",
  toWatch: (server: string): string => `On ${server}, to read waits, queues and states:`,
  toRecord: (server: string): string => `On ${server}, to create the event session:`,
  grantOn: (server: string): string => `GRANT statements for ${server}`,
  checkAgain: "Check again",
  checkAgainOn: (server: string): string => `Check again: ${server}`,
  checkAll: "Check rights",
  addressOf: (server: string): string => `Address of ${server}`,
  addressMoves: (address: string, server: string): string =>
    `${address} isn't the name of ${server}. A listener moves at a failover: enter the address of ${server}.`,

  // Poll
  poll: "Poll",
  pollEvery: (interval: ReactNode): ReactNode => sentence`Every ${interval} on one connection per replica.`,
  pollsNeedNoSession: "Polls need no event session.",

  // Triggers
  triggers: "Triggers",
  commitDelay: "Commit delay",
  overFor: (over: ReactNode, time: ReactNode): ReactNode => sentence`over ${over} for ${time}`,
  timesUsual: "Multiple of the usual",
  overUsualFor: (times: ReactNode, time: ReactNode): ReactNode =>
    sentence`over ${times} of this weekday and hour, for ${time}`,
  fromSevenDays: "from 7 days of polls on",
  queue: "Log send queue",
  overOrRpo: (queue: ReactNode, rpo: ReactNode): ReactNode =>
    sentence`over ${queue} or estimated data loss (RPO) over ${rpo}`,
  state: "State",
  stateWords: "failover, role change, or not SYNCHRONIZED",
  schedule: "Schedule",
  cron: (position: number): string => `Cron expression ${position}`,
  cronWords: (words: string | null, time: ReactNode): ReactNode =>
    words === null ? sentence`UTC, for ${time}` : sentence`${words}, for ${time}`,
  nextAt: (time: string): string => `next: ${time}`,
  addSchedule: "Add schedule",
  removeSchedule: (position: number): string => `Remove schedule ${position}`,
  removeLabel: "Remove",
  http: "HTTP",
  httpWords: "an Agent job or a monitoring tool sends",
  httpAddress: (id: string): string => `POST /api/v1/watches/${id}/record {"rule": "http"}`,

  // Recording
  recording: "Recording",
  untilQuiet: (quiet: ReactNode, most: ReactNode): ReactNode =>
    sentence`Until commits are quiet for ${quiet}, at most ${most}`,
  keepBefore: (ring: ReactNode): ReactNode => sentence`Keep the ${ring} before the trigger (ring in memory).`,
  keepTheTimeBefore: "Keep the time before the trigger",
  ringCost: "The ring's event session runs all the time: about 20 to 25 events per log block, 3 per commit.",
  atMost: (day: ReactNode, week: ReactNode, bytes: ReactNode): ReactNode =>
    sentence`At most ${day} a day, ${week} and ${bytes} a week.`,
  holdOff: (holdOff: ReactNode): ReactNode => sentence`Hold-off ${holdOff}`,
  keepFor: (keep: ReactNode): ReactNode => sentence`Delete captures after ${keep}`,
  withCommits: "With the events of each commit",

  // Messages
  messages: "Messages",
  kinds: { teams: "Teams", slack: "Slack", webhook: "Webhook", email: "E-mail" },
  sendTest: "Send test",
  sendTestTo: (name: string): string => `Send test to ${name}`,
  sending: "Sending…",
  notTested: "not tested",
  sentAt: (time: string, answer: string): string => `${time}: ${answer}`,
  onlyAllowed: "Only addresses that an admin allowed. One message when a trigger starts, one when it ends.",
  noReceivers: "The watch file has no receiver. Ask the operator of AG Lens to add one.",

  // Names of fields
  amounts: {
    every: "Poll interval",
    delayOver: "Limit of commit delay",
    delayFor: "Time over the commit delay",
    usualTimes: "Times the usual",
    usualFor: "Time over the usual",
    sendQueue: "Limit of log send queue",
    rpo: "Limit of estimated data loss",
    quiet: "Quiet time",
    most: "Length of a recording",
    ring: "Time before the trigger",
    perDay: "Recordings a day",
    perWeek: "Recordings a week",
    bytes: "Bytes a week",
    holdOff: "Hold-off",
    keep: "Days until captures are deleted",
    schedule: "Length of a scheduled recording",
  },
  enterFromTo: (name: string, least: string, most: string, isOptional: boolean): string =>
    `${name}: enter ${least} to ${most}${isOptional ? ", or nothing" : ""}.`,
  enterQueueOrRpo: "Limit of log send queue: enter it, or an estimated data loss, or both.",
  chooseALogin: "Choose a login.",
  loginIsGone: (login: string): string => `The watch file has no login ${login}. Choose another one.`,
  receiverIsGone: (name: string): string => `The watch file has no receiver ${name}. Clear its checkbox.`,
  findTheReplicas: "Find the replicas of the group first.",
  enterTheAddress: (server: string): string => `Enter the address of ${server}.`,

  // In words
  inWords: "In words",
  and: (names: string, last: string): string => `${names} and ${last}`,
  polls: (servers: string, interval: string): string => `AG Lens polls ${servers} every ${interval}.`,
  commitsWaitOver: (delay: string, time: string): string => `commits wait over ${delay} for ${time}`,
  commitsWaitOverUsual: (times: number, time: string): string =>
    `commits wait over ${times} times the usual for ${time}`,
  sendQueueIsOver: (size: string): string => `a log send queue is over ${size}`,
  rpoIsOver: (time: string): string => `the estimated data loss is over ${time}`,
  stateChanges: "a role or state changes",
  recordsWhen: (condition: string, servers: string): string => `When ${condition}, it records ${servers}.`,
  alsoWhen: (condition: string): string => `It also records when ${condition}.`,
  recordsByHand: (servers: string): string => `When a person starts it, it records ${servers}.`,
  recordsAt: (schedule: string, time: string): string => `Schedule: ${schedule}, for ${time}.`,
  onceGranted: (servers: string, count: number): string =>
    `${servers} once ${plural(count, "its right is granted", "their rights are granted")}`,
  andLater: (servers: string, later: string): string => `${servers}, and ${later}`,
  tells: (receivers: string): string => `It sends messages to ${receivers}.`,
  tellsNoOne: "It sends no messages.",
  fillInFirst: "Fill in the form to see what AG Lens does.",

  // Cron in words
  weekdays: ["Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"],
  workdays: "Mondays to Fridays",
  everyMinutes: (minutes: string): string => `every ${minutes}\u2009min`,
  hourly: (minutes: string): string => `hourly at :${minutes}`,
  utc: (time: string): string => `${time} UTC`,
  daily: (time: string): string => `daily ${time}`,
  monthly: (day: number, time: string): string => `on day ${day} of each month, ${time}`,
  onDays: (days: string, time: string): string => `${days} ${time}`,

  // Rehearsal
  withThePolls: "With the last 7 days of polls",
  pollsOf: (days: number): string =>
    days < 1 ? "Kept polls cover less than a day." : `Kept polls cover ${plural(Math.floor(days), "# day")}.`,
  theseTriggers: (starts: ReactNode, recorded: number, refused: number): ReactNode =>
    sentence`These triggers start ${starts}: ${`${recorded} recorded, ${refused} refused.`}`,
  times: (count: number): string => plural(count, "# time"),
  scheduleAdds: (count: number): string => `The schedule adds ${plural(count, "# recording")}.`,
  noPollsYet: "No polls yet.",
  triggersIn: "Triggers in the kept polls",

  // Cost
  cost: "Cost on the servers, per hour",

  // Save
  beforeYouSave: "Before you save",
  canNotRecord: (server: string): string =>
    `${server} can't be recorded. Without it, network and ${server}'s disk are one bar.`,
  canNotRecordPrimary: (server: string): string =>
    `${server} can't be recorded. Without the primary, commits can't be shown.`,
  canNotWatch: (server: string): string => `${server} can't be polled.`,
  noPrimary: "No primary is among these replicas. Enter the primary of the group.",
  youCanSave: "You can save now. A recording skips servers without their rights.",
  nothingIsMissing: "No right is missing.",
  rightsAreNotAsked: "Rights weren't checked. You can save now.",
  saveWatch: "Save watch",
  saving: "Saving…",
  cancel: "Cancel",
  discardTitle: "Discard the changes?",
  discardDetail: "The watch isn't saved yet.",
  discard: "Discard changes",
  keepEditing: "Keep editing",
};
