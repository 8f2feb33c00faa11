import { plural } from "@aglens/ag-model/words";

/** Texts of files on their way to the server. */
export const sendingTexts = {
  // Draft
  isBeingOpened: (name: string): string => `${name} is being opened.`,
  areRecognized: (fileCount: number): string =>
    `${plural(fileCount, "# file is", "# files are")} being recognized.`,
  filesChosenAgain: "files chosen again",
  lastBytesCame: "last bytes came",
  pageOpenedAgain: "page opened again",
  itsNameSize: "its name, size and first 64 kB are the same",
  nameSizeAndFirst: (carriedOn: number): string =>
    `name, size and first 64 kB of ${carriedOn} files are the same`,
  wholeAlready: (same: string, complete: number): string =>
    `${same}; ${plural(complete, "# other is", "# others are")} already complete`,
  andMore: (nameCount: number): string => ` and ${nameCount} more`,
  stoppedDidNotArrive: (shown: string, more: string): string =>
    `Stopped: ${shown}${more} did not arrive. Choose them again to send them.`,
  was: (leftOut: string | undefined): string => `${leftOut} was`,
  filesWere: (leftOutCount: number): string => `${leftOutCount} files were`,
  addTheXelFiles: "Add the .xel files of the event session, or a zip of them.",
  othersAreRead: "The others are read.",
  skippedTheNameDoes: (what: string, rest: string): string =>
    `${what} skipped: no content that AG Lens uses. ${rest}`,

  needAnotherAnalysis: (what: string): string =>
    `${what} skipped: such files need a new analysis. Create a capture with all files.`,

  // Expected files
  filesThatThisView: "The files that this view is of",
  sha256: (sha256: string): string => `SHA-256 ${sha256}…`,
  given: "given",
  missing: "missing",
  theyLie:
    "They are on a computer, not on a server. Provide the same files, in any order or in a zip. AG Lens recognizes them by their content, and refuses any other file.",
  allAreHereAnalyze: "All are here. Analyze them, and the view opens as it was.",

  // File sending
  wasInterrupted: (shortName: string): string => `${shortName} was interrupted`,
  resumed: (shortName: string): string => `${shortName} resumed`,
  behindThatTheServer: (kept: string): string => `behind ${kept} that the server has`,

  // Missing row
  noFile:
    "No file of the primary. Without it there are no commits and no sends, only what the secondary did.",
  primarySends: (addLater: string): string => `The primary sends to this replica too. ${addLater}`,
  withoutItsFile: "Without its file the network and its disk appear as one bar. Add it any time.",
  noFileOf: (addLater: string): string => `No file of a secondary. ${addLater}`,
  secondaryNoFile: "Secondary, no file",
  primaryNoFile: "Primary, no file",
  addFileOf: (name: string): string => `Add file of ${name}`,
  addFile: "Add file",

  // Replace button
  replaceThisFile: "Replace this file",
  betterCopyOf: (name: string): string => `Better copy of ${name}`,

  // Too large
  moreThanTheMemory: "More than the memory of a tab takes in",
  ofEventFilesNeed: ({
    bytes,
    neededMemory,
    otherNeededMemory,
    hasPart,
    noPart,
  }: {
    readonly bytes: string;
    readonly neededMemory: string;
    readonly otherNeededMemory: string;
    readonly hasPart: boolean;
    readonly noPart: string;
  }): string =>
    `${bytes} of event files need about ${neededMemory} of memory for their analysis. This browser provides about ${otherNeededMemory}. Nothing was read yet. ${hasPart ? "These parts fit:" : noPart}`,
  timeToRead: "Time to read",
  period: "A period",
  everyRolloverFileOver: (ordinal: string): string => `Every ${ordinal} rollover file, over the whole time`,
  all: "All of it: the browser may end the page",
  readTheseFiles: "Read these files",
  readNone: "Read none",
  serverReadsFiles: "A server reads files of any size.",
  noPartOfThem:
    "AG Lens can't choose a part by the names of the files, or one file of each server doesn't fit. Unpack zips, and provide fewer or smaller files.",
  ofFiles: (fileCount: number, all: number, bytes: string): string =>
    `${fileCount} of ${all} files, ${bytes}`,
  from: "from",
  fromByTheTimes: "From, by the times in the names of the files",
  toTheEnd: "to the end",
  to: (to: string): string => `to ${to}`,

  // Unfinished uploads
  uploadsThatAreNot: "Incomplete uploads",
  resumeIt: "Resume it",
  filesAre: (uploadCount: number): string => `${uploadCount} files are`,
  notWholeYet: (what: string, received: string, size: string): string =>
    `${what} not complete yet: the server keeps ${received} of ${size}.`,

  // Upload rows
  itsFirst64KB: "its first 64 kB differ",
  itsSizeDiffers: "its size differs",
  thisIsAnotherFile: (how: string): string =>
    `This is another file than the one of this name that the server has a part of: ${how}. Choose that one, or send this one from its beginning.`,

  // Upload words
  left: (sumCount: string): string => `, ${sumCount} left`,
  interruptedAtTryingAgain: (share: string, seconds: number): string =>
    `Interrupted at ${share}, trying again ${seconds === 0 ? "now" : `in ${seconds}\u2009s`}`,
  chooseTheSameFiles: (kept: string): string => `Choose the same files, ${kept} are kept`,
  uploadIsPausedAt: (share: string): string => `Upload is paused at ${share}`,
  uploadStoppedAt: (share: string): string => `Upload stopped at ${share}`,
  uploadResumesAt: "Upload resumes at",
  sendingTheFiles: "Sending the files,",
  whatTheServer: (sentenceText: string): string => `${sentenceText} What the server has is not sent again.`,
  serverHasOfDrop: (kept: string, sumCount: string): string =>
    `The server has ${kept} of ${sumCount}. Drop the same files anywhere on this page, or choose them: nothing is sent twice.`,
  serverKeepsPressSpace: (sent: string): string => `The server keeps ${sent}. Press Space to resume.`,
  wereKept: (kept: string): string =>
    `${kept} were kept on the server when the sending broke off. Nothing is sent twice.`,
  seeBelowWhyThen: "See below why, then add the files again or discard the received part.",
  connectionThatBreaks: "If the connection breaks, AG Lens tries again, and sends nothing twice.",
  completeEvents: (events: string): string => `complete, ${events} events`,
  complete: "complete",
  toBeChosen: "to be chosen",
  notSent: "not sent",
  isRead: "is read on the server",
  onItsWay: "on its way",
  waits: "waits",

  // Uploads
  filesBeingSent: "Files being sent",
  sendingFileOf: (runningCount: number, sent: string, size: string): string =>
    `Sending ${plural(runningCount, "# file")}, ${sent} of ${size}`,
  stopSending: "Stop sending",
  sent: (name: string): string => `${name} sent`,
  dismiss: "Dismiss",
  moreFilesWait: (waiting: number): string => plural(waiting, "# more file waits", "# more files wait"),

  // Use file picker
  captureFiles: "Capture files",

  // Window drop
  dropTheFilesAnywhere: "Drop the files anywhere",
} as const;
