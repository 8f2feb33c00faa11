import { plural } from "@aglens/ag-model/words";

/** Texts of charts and lanes. */
export const chartsTexts = {
  // Buffered
  rankOf: (larger: string, count: string): string => `Rank ${larger} of ${count}`,

  // Lanes
  rawUtc: ", raw UTC",
  primaryTo: (name: string): string => `Primary to ${name}`,
  asyncSecondary: "Async secondary",
  secondary: "Secondary",
  toPrimary: (name: string): string => `${name} to primary`,
  noCapture: "no capture",
  acknowledged: "Acknowledged",

  // Marks
  vlfSwitch: "VLF switch",
  databaseFlowControl: "Database flow control",
  transportFlowControl: "Transport flow control",
  stillWaiting: "Still waiting",
  newPrimary: "New primary",
  clockStep: "Clock step",
  serverUnresponsive: "Server unresponsive",
  availabilityModeChanged: "Availability mode changed",
  markedBy: (name: string, byRule: boolean, at: string): string =>
    `${name}, marked by ${byRule ? "rule" : "hand"}, ${at}`,
  commit: "commit",
  logBlock: "log block",
  changeOfRoles: (side: number, what: string, at: string): string =>
    `${side === 0 ? `Last ${what} before` : `First ${what} after`} a change of roles, ${at}`,
  markedByHand: (count: number): string => plural(count, "# marked by hand", "# marked by hand"),
  markedByRule: (count: number): string => plural(count, "# marked by rule", "# marked by rule"),
  pause: (count: number): string => plural(count, "# pause"),
  newPrimaries: (count: number): string => plural(count, "# new primary", "# new primaries"),
  changesOfAvailabilityMode: (count: number): string =>
    plural(count, "# change of availability mode", "# changes of availability mode"),
  clockStepPart: (count: number): string => plural(count, "# clock step"),
  databaseFlowControlPart: (count: number): string => plural(count, "# database flow control"),
  transportFlowControlPart: (count: number): string => plural(count, "# transport flow control"),
  stillWaitingPart: (count: number): string => plural(count, "# still waiting", "# still waiting"),
  vlfSwitches: (count: number): string => plural(count, "# VLF switch", "# VLF switches"),

  // Minimap
  startOfWhat: "Start of what is in view",
  endOfWhat: "End of what is in view",

  // Over time picture
  to: (low: string, high: string): string => `${low} to ${high}`,
  nowP50ToP95: "now, p50 to p95",
  thenP50ToP95: "then, p50 to p95",

  // Paint events
  commitBegins: "commit begins",
  sendBegins: "send begins",
  handedOn: "handed on",

  // Paint picture
  row: (rowCount: number): string => plural(rowCount, "# row"),
  over: (limitUs: string): string => `over ${limitUs}`,
  uprightStroke: "upright stroke",
  levelStroke: "level stroke",
  logAxisOneScale: "Log axis, one scale for all panels.",
  oneScaleForAll: "One scale for all panels.",
  strokeToP99: ", stroke to p99",
  dotMax: ", dot max",
  lineP50Bar: (rest: string, scale: string): string => `Line p50, bar to p95${rest}. ${scale}`,
  dashAndDot: "dash and dot",

  // Paint wake ups
  ackWaited: (to: string): string => `ack waited ${to} for the local write`,

  // Palette
  handling: (primary: string): string => `${primary} handling`,
  sessionWaiting: "Session waiting",

  // Query picture
  forEach: (panelColumn: string, panels: string): string => `, for each ${panelColumn}: ${panels}`,
  overPart: (y: string, name: string, each: string, picture: string): string =>
    `${y} over ${name}${each}. ${picture}`,

  // Ruler
  block: (blockId: string): string => `, block …${blockId}`,
} as const;
