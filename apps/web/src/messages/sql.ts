import type { ReactNode } from "react";
import { plural } from "@aglens/ag-model/words";
import { sentence } from "./sentence.ts";

/** Texts of the SQL screen. */
export const sqlTexts = {
  // All sql screen
  linkToThisQuery: "Link to this query copied",
  allCaptures: "all captures",
  allCapturesLabel: "All captures",
  query: "The query is in the link; the result is not",
  sqlOverAllCaptures: "SQL over all captures",

  // Console
  rowSelected: (selected: number): string => `Row ${selected} selected`,
  thereIsNoSql: "There is no SQL here.",
  queryLabel: "Query",
  ownQuery: "Own query",
  running: "Running.",
  noRowsTheQuery: "No rows: the query has to be changed first.",
  runTheQuery: "Run the query, or choose a ready one, which runs at once.",

  // Format query
  fromLineColumnOn: (line: string, column: string): string => ` from line ${line}, column ${column} on`,

  // Picture menu
  columnsOfThePicture: "Columns of the picture",
  onePanelPer: "one panel per",
  none: "none",

  // Query rail
  queriesAndTables: "Queries and tables",
  readyQueries: "Ready queries",
  mine: "Mine",
  saveKeepsAQuery: "Save keeps a query in this browser.",
  forget: (title: string): string => `Forget ${title}`,
  forgetLabel: "Forget",
  tables: "Tables",
  rows: "rows",

  // Result bar
  table: "Table",
  chart: "Chart",
  both: "Both",
  shownOfTheResult: "Shown of the result",
  copyLink: "Copy link",
  parquet: "Parquet",
  picture: "Picture",
  png: "PNG",
  svg: "SVG",

  // Result picture
  pictureNeedsATime: "A picture needs a time, a number or words, and a number.",

  // Result table
  result: "Result",
  noValue: "no value",

  // Run bar
  stop: "Stop",
  run: "Run",
  format: "Format",
  save: "Save",
  readOnlyAtMost: (seconds: ReactNode, memoryBytes: ReactNode, rows: ReactNode): ReactNode =>
    sentence`Read only. At most ${seconds}, ${memoryBytes}, ${rows} rows. No files, no network.`,
  runningLabel: "Running",
  rowsPart: (name: string, rows: string): string => `${name} (${rows} rows)`,
  from: (from: string): string => ` from ${from}`,
  rowInFromText: (rows: number, ms: ReactNode, fromCount: string, isSameSql: boolean): ReactNode =>
    sentence`${plural(rows, "# row")} in ${ms}${fromCount}${isSameSql ? "" : "; text changed since"}`,
  noRowsYet: "no rows yet",
  rowsSoFar: (rows: string): string => `${rows} rows so far`,
  shorterRangeOfUtc: "A shorter range of utc, fewer captures or columns, or an aggregate would be smaller.",
  stoppedAtS: (seconds: number, rows: string, smaller: string): string =>
    `Stopped at ${seconds} s, ${rows}. ${smaller}`,
  stoppedAtOfMemory: (memoryBytes: string, rows: string, smaller: string): string =>
    `Stopped at ${memoryBytes} of memory, ${rows}. ${smaller}`,
  firstRowsThere: (rows: string): string =>
    `The first ${rows} rows; there are more. CSV and Parquet end there too.`,
  firstRowsMore: (rows: string): string =>
    `The first ${rows} rows; more are too large to be sent. Fewer or shorter columns let more rows through.`,

  // Sql screen
  sqlNeedsAgLens: "SQL needs AG Lens on a server.",
  thisCaptureWasRead: "This capture was read in this browser. Add its files on the server to ask it in SQL.",

  // Status keys
  runPart: "run",
  complete: "complete",
  row: "row",
  openTheBlocks: "open the blocks of a row",
} as const;
