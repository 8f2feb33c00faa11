import { plural } from "@aglens/ag-model/words";

/** Texts of links and sharing. */
export const shareTexts = {
  // Link rows
  link: "Link",
  copy: "Copy",
  revoke: "Revoke",
  linksOfThisCapture: "Links of this capture",
  linksOfThisCaptureLabel: (earlierCount: number): string => `Links of this capture, ${earlierCount}`,
  opensAreCountedVisitors: "opens are counted, visitors are not recorded",
  copyTheLink: (title: string): string => `Copy the link ${title}`,
  revokeTheLink: (title: string): string => `Revoke the link ${title}`,
  renewTheLink: (title: string): string => `Renew the link ${title}`,
  renew: "Renew",
  noEnd: "no end",
  until: (value: string): string => `until ${value}`,

  // Link terms
  access: "Access",
  readOnlyThisCapture: "read only, this capture only",
  expires: "Expires",
  passphrase: "Passphrase",
  names: "Names",
  replaceTheNames: "Replace the names of servers, databases and files",
  evidenceLeftOut: "The link doesn't show evidence files, because they contain further names.",
  dataSent: "Data sent",
  noNewData: (total: string): string =>
    `No new data. The capture of ${total} blocks is on this server already; no .xel file is reachable by the link.`,
  anyoneWhoReaches: "Anyone who reaches this server and has the link",
  signedInUsersWho: "Signed-in users who have the link",
  anyoneWithTheLink: "Anyone with the link",
  askForAPassphrase: "Ask for a passphrase",
  atLeastCharacters: (fewestCharacters: number): string => `at least ${fewestCharacters} characters`,
  shownOnlyNowNot: "shown only now, not in the link: send it another way",

  // Share dialog
  shareThisView: "Share this view",
  title: "Title",
  close: "Close",
  cancel: "Cancel",
  makeAndCopyLink: "Make and copy link",
  wholeCaptureTheFrame: (summary: string): string =>
    `The whole capture; the frame is what the link shows: ${summary}.`,

  // Share words
  itShowsTheNotes: (notes: string): string =>
    `It shows the notes of the capture as they are when it is opened, now ${notes}.`,
  rawClocks: "raw clocks",
  theme: (theme: string): string => `${theme} theme`,
  linkRestores: (parts: string): string => `The link restores: ${parts}.`,
  timesFromTheStart: "times from the start",
  timesInTheReaders: "times in the reader's time zone",
  timesIn: (zoneName: string): string => `times in ${zoneName}`,
  alone: (database: string | null): string => `${database} alone`,
  alonePart: (modePhaseName: string): string => `${modePhaseName} alone`,
  filter: (filter: string, isHide: boolean): string => `filter ${filter}${isHide ? ", hits only" : ""}`,
  blockSelected: (lsn: string): string => `block ${lsn} selected`,
  nextToIt: (keptCount: number): string => `${plural(keptCount, "# block")} next to it`,
  itsEventOpen: "its event open",
  selected: (selected: string): string => `${selected} selected`,
  ruler: (rulerCount: number): string => plural(rulerCount, "# ruler"),
  remoteHardenInPlace: "remote harden in place of commits",
  blocksOrderedByFirst: (by: string, descending: boolean): string =>
    `blocks ordered by ${by}, ${descending ? "slowest" : "fastest"} first`,
  slowest: (list: string): string => `slowest ${list}`,
  rowsAreTheSlowest: (rows: string): string => `rows are the slowest ${rows}`,
  eventsThatHold: (event: string): string => `events that hold "${event}"`,
  eventsOfChosenNames: "events of chosen names and replicas",
  against: (other: string): string => `against ${other}`,
  bothSides: "both sides",
  change: (change: string): string => `change ${change}`,
  queryWhichIsRun: "the query, which is run again",
  rowSelected: (sqlRow: string): string => `row ${sqlRow} selected`,
  lanesAsThey: "lanes as they are now",
  pinned: (pinnedCount: number): string => `${plural(pinnedCount, "# lane")} pinned`,
  isolated: (isolatedCount: number): string => `${plural(isolatedCount, "# lane")} isolated`,
  commitsColoredByWhat: "commits colored by what released them",
  revoked: (takenBack: string): string => `revoked ${takenBack}`,
  expired: (expires: string): string => `expired ${expires}`,
  open: (count: number): string => plural(count, "# open"),
  last: (last: string): string => `, last ${last}`,
  afterTheEnd: (after: number): string => `, ${plural(after, "# try", "# tries")} after the end`,
  replica: (index: number): string => `Replica ${index}`,
  keptUntilYouTake: "Kept until you revoke it here.",
  youCanTake: (day: string): string => `${day}. You can revoke it here earlier.`,

  // Shared capture
  listedForAllSigned:
    "Listed for all signed-in users. They can open the complete capture, and can't change it",

  // Use links
  linkIsRevoked: "The link is revoked. It can't be opened any more.",
  linkOpensForDays: (renewedDays: number): string =>
    `The link opens for ${renewedDays} days from now, under the same address.`,
  linkIsCopied: "The link is copied.",
  linkIsReady: "The link is ready. This browser does not allow copying here: copy it from the field.",
} as const;
