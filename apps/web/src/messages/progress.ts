import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of an analysis in progress. */
export const progressTexts = {
  // Analysis steps
  decodeEvents: "Decode events",
  decodingEvents: "decoding events",
  findRolesAndReplicas: "Find roles and replicas",
  findingRolesAndReplicas: "finding roles and replicas",
  joinLogBlocks: "Join log blocks",
  joiningLogBlocks: "joining log blocks",
  alignClocks: "Align clocks",
  aligningClocks: "aligning clocks",
  measureStages: "Measure stages",
  measuringStages: "measuring stages",
  findingTheVerdict: "finding the verdict",
  storingTheTables: "storing the tables",
  waitingForOtherAnalyses: "waiting for other analyses",

  // Arriving
  serverReadsThisFile: "The server reads this file when all of it has come",
  noEventsReadSo: "No events read so far",
  eventsIn: (events: string, length: string): string => `${events} events in ${length}`,
  atMostS: (figures: string, most: string): string => `${figures}, at most ${most}/s`,
  axisOfEstimated: (to: string): string => `axis of ${to} estimated from bytes`,
  soFarAtMost: (figures: string, most: string, rest: boolean, expected: string): string =>
    `${figures} so far, at most ${most}/s; ${rest ? "the rest is read when all has come" : expected}`,

  // Arriving picture
  eventsPerSecond: (name: string): string =>
    `Events per second of what is read of ${name} so far; the rest is hatched.`,

  // First picture
  captureAtAGlance: "The capture at a glance: the slowest block per column, colored by its largest stage.",
  firstPictureIsAlready:
    "The first picture is already real: slowest block per pixel, colored by its largest stage",
  eventsPerSecondOf:
    "Events per second of what has been read so far, a row per replica; the rest is hatched.",
  atMost: (most: string): string => `; at most ${most}`,
  eventsPerSecondOfWhat: (most: string): string =>
    `Events per second of what is read so far, as square roots${most}. Hatched is still to be read`,

  // Phase bar
  workByTime: "Work by time",
  beganAgo: (duration: string): string => `Began ${duration} ago`,
  widthIsExpectedTime: (whole: string): string => `Width is expected time, ${whole} in all`,

  // Progress screen
  filesAreRead: "The files are read in this browser. Nothing leaves this computer.",
  filesAreReadOn: "The files are read on this server. Nothing is sent to another place.",
  cancel: "Cancel",
  eventsRead: (events: string): string => `${events} events read`,
  keepThisPageOpen: (waitingReason: string, time: string, isOwn: boolean): string =>
    `${waitingReason}${time}${isOwn ? "Keep this page open." : "You can close this page; the analysis continues, and the capture is in the list when you come back."}`,

  // Progress words
  waitingNextToBegin: "Waiting, next to begin",
  waitingPlaceOfThose: (place: number): string => `Waiting, place ${place} of those that wait`,
  analysesRun: (running: number): string => plural(running, "# analysis runs", "# analyses run"),
  wait: (waiting: number): string => `, ${waiting} wait`,
  onThisServer: (runs: string, waits: string): string => `${runs} on this server${waits}`,
  longerThanExpectedS: (overS: number): string => `longer than expected, ${overS}\u2009s over`,
  left: (leftS: string): string => `${leftS} left`,
  ofTheWork: (value: number): string => `${value}\u2009% of the work by time.`,
  restIsARough: (share: string, where: string): string =>
    `${share} The rest is a rough estimate: this ${where} has analyzed no capture of about this size before. `,
  restIsEstimated: (share: string, where: string, spread: string): string =>
    `${share} The rest is estimated from this ${where}'s own pace on earlier captures${spread}. `,
  readingFiles: (files: number): string => `Reading ${files} files`,

  // Remaining
  aboutS: (whole: number, thin: string): string => `about ${whole}${thin}s`,
  aboutMin: (whole: number, thin: string): string => `about ${whole}${thin}min`,

  // Replica progress
  events: (events: string): string => `${events} events`,
  primary: "Primary",
  secondary: "Secondary",
  rolloverFiles: (fileCount: number): string => `${fileCount} rollover files`,
  read: (name: string): string => `${name} read`,
  of: (read: ReactNode, size: string): ReactNode => sentence`${read} of ${size}`,

  // Step words
  logBlocks: (blocks: string): string => `${blocks} log blocks`,
  leftPart: (runs: string, left: string): string => `${runs}, ${left} left`,
  longerThanExpected: (runs: string): string => `${runs}, longer than expected`,
  eventsS: (events: string): string => `, ${events} events/s`,
} as const;
