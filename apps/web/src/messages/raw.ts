import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the raw events. */
export const rawTexts = {
  // Blocks list
  noLogBlock: "No log block in this range.",

  // Commit table
  fromCommitToRelease: "From commit to release",

  // Commits list
  waited: "Waited",
  wokenAfter: "Woken after",
  queued: "Queued",
  time: "Time",
  order: "Order",
  noCommit: "No commit in this range.",
  slowestCommits: "Slowest commits",
  listedHoldOf: (rowCount: string, waitedUs: string, otherWaitedUs: string): string =>
    `The ${rowCount} listed hold ${waitedUs} of ${otherWaitedUs}.`,
  releasedByAnAck: "Released by an ack",
  byTheLocalWrite: "by the local write",

  // Csv button
  events: (name: string, filterInName: string): string => `${name} events${filterInName}`,
  saveTheListedEvents: "Save the listed events with all their fields",
  stopWritingCsv: (share: string): string => `Stop writing CSV, ${share}`,
  saved: (rows: number): string => `${plural(rows, "# event")} saved`,
  mostThatOneFile: ", the most that one file holds: choose a shorter range for the rest",
  ofTheFirst: (read: string, total: string): string =>
    `, of the first ${read} of ${total}: choose a shorter range for the rest`,
  couldNotBeRead: (unreadable: string): string => `; ${unreadable} could not be read`,

  // Density strip
  eventsOverTime: "Events over time",
  eventsNone: (name: string, events: string, quiet: number, binCount: number): string =>
    `${name}: ${events} events, none in ${quiet} of ${binCount} equal periods`,

  // Event detail
  event: "Event",
  chooseAnEvent: "Choose an event to see its fields, its actions and its place in the file.",
  when: "When",
  fields: (keyCount: string): string => `Fields, ${keyCount}`,
  actions: "Actions",
  noneCollected: "None collected by this session.",
  inTheFile: "In the file",
  byteOffset: "Byte offset",
  itsBlock: "Its block",
  sequence: "Sequence",
  timeline: "Timeline",
  eventAsJson: "the event as JSON",
  firedInUtc: "Fired, in UTC",

  // Event filters
  eventNames: "Event names",
  of: (eventNameCount: number, nameCount: number): string => `${eventNameCount} of ${nameCount}`,
  altClickOnly: (name: string): string => `${name}\nAlt+click: only this one`,
  notCounted: "not counted",
  countsOfTheFirst: (read: string, total: string): string =>
    `Counts of the first ${read} events of ${total}; a name that comes later is found by its text.`,
  replica: "Replica",
  noFile: "no file",

  // Event rows
  rawEvents: "Raw events",
  fired: "Fired",
  firedLabel: (zoneName: string): string => `Fired, ${zoneName}`,
  afterLast: "After last",
  mode: "Mode",
  duration: "Duration",
  blockOrAckId: "Block or ack id",
  published: "Published",
  byteOffsetFile: "Byte offset, file",
  eventLabel: (row: string): string => `Event ${row}`,
  noStartTimestampPlaced: "No start_timestamp: placed by its publish time",
  rangesOfEvents: "Ranges of events",
  earlier: "Earlier",
  toOf: (first: string, end: string, rows: string): string => `${first} to ${end} of ${rows}`,
  later: "Later",

  // Event words
  notListedOfNo: (parts: string): string => `Not listed, of no log block, whole capture: ${parts}.`,
  withoutAKnownInstant: (withoutInstant: string): string =>
    `${withoutInstant} without a known instant are not listed.`,
  orderOfOneReplicas: "Order of one replica's own clock",
  orderBetweenReplicas: "Order between replicas is not certain: their clocks are not aligned",
  orderBetweenReplicasIs: (uncertainty: string): string =>
    `Order between replicas is certain to ${uncertainty}`,

  // Events csv
  firedPart: (zoneName: string): string => `fired (${zoneName})`,
  field: (name: string): string => `field ${name}`,
  action: (name: string): string => `action ${name}`,

  // Events list
  filter: "Filter",
  eventsLabel: "Events",
  namesAndReplicas: "Names and replicas",
  namesAndReplicasChosen: (chosen: string): string => `Names and replicas, ${chosen} chosen`,
  textInTheName: "Text in the name, a field or an action",
  textInNameField: "Text in name, field or action",
  readOn: "Read on",
  noFilter: "No filter",
  eventsPart: (total: ReactNode): ReactNode => sentence`${total} events`,
  firstOf: (read: string, total: string): string => `the first ${read} of ${total}`,
  foundInTheFirst: (rows: ReactNode, read: string): ReactNode => sentence`${rows} found in ${read} events`,
  noEventHereOnly: (isRows: boolean, hasNoWhere: boolean): string =>
    `${isRows ? "No event here. " : ""}${hasNoWhere ? "" : "Only events of the filter's blocks; the strip has all. "}In order of firing on`,
  sClockMarkedRows: (isLsn: boolean, unreadable: number, otherUnreadable: string): string =>
    `'s clock${isLsn ? ". " : `; marked rows are of the same block. `}${unreadable > 0 ? `${otherUnreadable} could not be read from their files. ` : ""}`,
  row: "row",
  eventOfTheSame: "event of the same block",
  sequencePart: "sequence",
  timelinePart: "timeline",

  // Missing files
  rawEventsAre: "Raw events are in the event files, which are not here",
  captureWasOpenedWithout:
    "The capture was opened without them. Add the same files, in any order or in a zip. AG Lens recognizes them by their content, and skips any other file. The results stay.",
  sha256: (sha256: string): string => `SHA-256 ${sha256}…`,
  andMore: (missingCount: number): string => `and ${missingCount} more`,
  giveTheFiles: "Give the files",
  filesAreRead: "The files are read.",
  eventFiles: "Event files of this capture",
  itsContentWasNot: "its content was not recorded: it cannot be recognized",

  // Range chip
  rows: "Rows",
  slowestBlocks: "Slowest blocks",
  showWholeCapture: "Show whole capture",
  to: (range: string, otherRange: string): string => `${range} to ${otherRange}`,
  remove: ", remove",

  // Slow list
  ofTheFilter: (table: string, hasNoWhere: boolean, isBlocks: boolean): string =>
    `${table}${hasNoWhere ? "" : isBlocks ? " of the filter" : " of the filter's blocks"}`,
  saveAll: (table: string): string => `Save all ${table} of this range with all their times`,
  nextPrevious: "next, previous",
  sequenceOfItsBlock: "sequence of its block",
  sessionIdsWhere: "Session ids, where a session collects them, are among an event's actions",
} as const;
