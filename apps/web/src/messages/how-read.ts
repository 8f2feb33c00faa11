import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the screen about how files were read. */
export const howReadTexts = {
  // Check counts
  expectationExpectationsMet: (count: ReactNode, otherCount: number): ReactNode =>
    sentence`${count} ${otherCount === 1 ? "expectation" : "expectations"} met`,
  metInPart: (count: ReactNode): ReactNode => sentence`${count} met in part`,
  notMet: "not met",
  notInTheseFiles: (absent: ReactNode): ReactNode => sentence`${absent} not in these files`,
  eventInFile: (events: ReactNode, otherEvents: number, files: number): ReactNode =>
    sentence`${events} ${plural(otherEvents, "event")} in ${plural(files, "# file")}`,
  payloadByteUnclaimed: (unclaimedBytes: ReactNode, otherUnclaimedBytes: number): ReactNode =>
    sentence`${unclaimedBytes} payload ${plural(otherUnclaimedBytes, "byte")} unclaimed`,

  // Expectation pane
  selectedExpectation: "Selected expectation",
  expected: "Expected",
  found: "Found",
  notAsExpected: "Not as expected",
  resultsThatRest: "Results that rest on it",

  // Expectation table
  expectations: "Expectations",
  state: "State",
  expectation: "Expectation",
  readInTheseFiles: "Read in these files",
  met: "Met",
  notMetLabel: "Not met",

  // Expectation words
  metInPartLabel: "Met in part",
  notInTheseFilesLabel: "Not in these files",
  metNotMetIn: (met: string, notMet: string, unit: string): string =>
    `${met} met, ${notMet} not met, in ${unit}`,

  // How read screen
  xelCheckFolder: "xel check FOLDER",
  check: "Check",
  itContainsCountsEvent: "It contains counts, event names and column names. It has no name or id of yours.",
  sameCheck: "Same check on the command line",
  commandOfTheSame: "command of the same check",
  folderContainsTheFiles: "FOLDER contains the files of all replicas.",
  expectationPart: (expectationCount: number): string => plural(expectationCount, "# expectation"),
  eventFile: (files: number): string => plural(files, "# event file"),
  howThisWasRead: (counts: string): string => `How this was read: ${counts}`,
  nextPreviousRow: "next, previous row",
  nextNotMet: "next not met",
  saveReport: "save report",
  customerDataIsntPart: "Customer data isn't part of the report",

  // No check
  openTheOverview: "Open the overview",
  thisCaptureHasNo: "This capture has no check of its files.",
  earlierVersionOfAg: (canAnalyze: boolean): string =>
    `An earlier version of AG Lens analyzed this capture.${canAnalyze ? "" : " Its owner can analyze it again."}`,
  analyzeAgain: "Analyze again",

  // Report actions
  saveReportWithoutNames: "Save report without names",
  preview: "Preview",
  reportWithoutNames: "Report without names",
  textOfTheReport: "Text of the report",
  close: "Close",
  saveReportLabel: "Save report",
} as const;
