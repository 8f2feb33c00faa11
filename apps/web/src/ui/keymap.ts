/** Every key of the product, once: the screens bind actions to these ids, the `?` dialog prints the table (docs/design.md 11). */
export interface KeyEntry {
  readonly id: string;
  /** `KeyboardEvent.key` values that trigger it; "Shift+" and "Ctrl+" prefixes are part of the name. */
  readonly keys: readonly string[];
  /** As printed in the dialog. */
  readonly shown: readonly string[];
  readonly does: string;
  readonly group:
    | "Everywhere"
    | "Overview and timeline"
    | "Timeline"
    | "Sequence"
    | "Distribution"
    | "Waiting and what if"
    | "Raw events"
    | "How this was read"
    | "SQL"
    | "Live"
    | "List of captures"
    | "Captures"
    | "Fleet";
}

export const KEYMAP = [
  { id: "help", keys: ["?"], shown: ["?"], does: "all keys", group: "Everywhere" },
  { id: "overview", keys: ["Alt+1"], shown: ["Alt", "1"], does: "overview", group: "Everywhere" },
  { id: "timeline", keys: ["Alt+2"], shown: ["Alt", "2"], does: "timeline", group: "Everywhere" },
  { id: "sequence", keys: ["Alt+3"], shown: ["Alt", "3"], does: "sequence", group: "Everywhere" },
  { id: "distribution", keys: ["Alt+4"], shown: ["Alt", "4"], does: "distribution", group: "Everywhere" },
  { id: "waiting", keys: ["Alt+5"], shown: ["Alt", "5"], does: "waiting", group: "Everywhere" },
  { id: "compare", keys: ["Alt+6"], shown: ["Alt", "6"], does: "compare", group: "Everywhere" },
  { id: "whatIf", keys: ["Alt+7"], shown: ["Alt", "7"], does: "what if", group: "Everywhere" },
  {
    id: "compareView",
    keys: ["c"],
    shown: ["c"],
    does: "compare the range in view, a capture with the one before",
    group: "Everywhere",
  },
  { id: "rawEvents", keys: ["Alt+8"], shown: ["Alt", "8"], does: "raw events", group: "Everywhere" },
  { id: "howRead", keys: ["i"], shown: ["i"], does: "how this capture was read", group: "Everywhere" },
  { id: "sql", keys: ["Alt+9"], shown: ["Alt", "9"], does: "SQL", group: "Everywhere" },
  {
    id: "search",
    keys: ["/", "Ctrl+k"],
    shown: ["/", "Ctrl", "K"],
    does: "go to a time or an LSN, commands",
    group: "Everywhere",
  },
  { id: "copyLink", keys: ["y"], shown: ["y"], does: "copy the link to this view", group: "Everywhere" },
  {
    id: "export",
    keys: ["x"],
    shown: ["x"],
    does: "export a report, a picture or a table",
    group: "Everywhere",
  },
  {
    id: "copyVerdict",
    keys: ["Shift+Y"],
    shown: ["Shift", "Y"],
    does: "copy the verdict as text",
    group: "Everywhere",
  },
  {
    id: "tags",
    keys: ["h"],
    shown: ["h"],
    does: "tags of the capture, or of those that are selected",
    group: "Everywhere",
  },
  {
    id: "names",
    keys: ["F2"],
    shown: ["F2"],
    does: "names of the capture, its servers and databases",
    group: "Everywhere",
  },
  { id: "clock", keys: ["r"], shown: ["r"], does: "raw or aligned clock", group: "Everywhere" },
  { id: "timeFormat", keys: ["t"], shown: ["t"], does: "offset or UTC", group: "Everywhere" },
  {
    id: "open",
    keys: ["Enter"],
    shown: ["Enter"],
    does: "open the sequence of the selection",
    group: "Overview and timeline",
  },
  { id: "back", keys: ["Escape"], shown: ["Esc"], does: "back one level", group: "Everywhere" },
  { id: "nextSlow", keys: ["n"], shown: ["n"], does: "next slow block", group: "Overview and timeline" },
  {
    id: "previousSlow",
    keys: ["p"],
    shown: ["p"],
    does: "previous slow block",
    group: "Overview and timeline",
  },
  { id: "previousBlock", keys: ["["], shown: ["["], does: "previous block in time", group: "Sequence" },
  { id: "nextBlock", keys: ["]"], shown: ["]"], does: "next block in time", group: "Sequence" },
  { id: "fit", keys: ["f"], shown: ["f"], does: "fit the selection", group: "Timeline" },
  { id: "all", keys: ["0"], shown: ["0"], does: "whole capture", group: "Overview and timeline" },
  {
    id: "zoomIn",
    keys: ["w", "+", "="],
    shown: ["W", "+"],
    does: "zoom in at the cursor",
    group: "Timeline",
  },
  { id: "zoomOut", keys: ["s", "-"], shown: ["S", "-"], does: "zoom out", group: "Timeline" },
  { id: "panLeft", keys: ["a", "ArrowLeft"], shown: ["A", "←"], does: "earlier", group: "Timeline" },
  { id: "panRight", keys: ["d", "ArrowRight"], shown: ["D", "→"], does: "later", group: "Timeline" },
  {
    id: "panLeftFar",
    keys: ["Shift+ArrowLeft"],
    shown: ["Shift", "←"],
    does: "earlier, 10 times",
    group: "Timeline",
  },
  {
    id: "panRightFar",
    keys: ["Shift+ArrowRight"],
    shown: ["Shift", "→"],
    does: "later, 10 times",
    group: "Timeline",
  },
  {
    id: "zoomBack",
    keys: ["Backspace", "Alt+ArrowLeft"],
    shown: ["Backspace"],
    does: "zoom back",
    group: "Timeline",
  },
  {
    id: "zoomAhead",
    keys: ["Alt+ArrowRight"],
    shown: ["Alt", "→"],
    does: "zoom ahead again",
    group: "Timeline",
  },
  {
    id: "lane",
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    shown: ["1", "to", "9"],
    does: "lane tall or thin",
    group: "Timeline",
  },
  {
    id: "group",
    keys: ["Shift+1", "Shift+2", "Shift+3", "Shift+4", "Shift+5", "Shift+6", "Shift+7", "Shift+8", "Shift+9"],
    shown: ["Shift", "1", "to", "9"],
    does: "fold or unfold a replica's lanes",
    group: "Timeline",
  },
  {
    id: "laneUp",
    keys: ["Alt+ArrowUp"],
    shown: ["Alt", "↑"],
    does: "pin the lane in focus above the others, or move it up",
    group: "Timeline",
  },
  {
    id: "laneDown",
    keys: ["Alt+ArrowDown"],
    shown: ["Alt", "↓"],
    does: "move a pinned lane down, the last one back to its place",
    group: "Timeline",
  },
  {
    id: "openReleasing",
    keys: ["o"],
    shown: ["o"],
    does: "open only the replica that releases",
    group: "Timeline",
  },
  {
    id: "note",
    keys: ["e"],
    shown: ["e"],
    does: "write a note on the selection or the view",
    group: "Timeline",
  },
  { id: "ruler", keys: ["q"], shown: ["q"], does: "ruler, from edge to edge", group: "Timeline" },
  {
    id: "menu",
    keys: ["Shift+F10", "ContextMenu"],
    shown: ["Shift", "F10"],
    does: "menu of the block, copies time, LSN and row",
    group: "Timeline",
  },
  {
    id: "keepBlock",
    keys: [" "],
    shown: ["Space"],
    does: "keep the selected block beside the next one",
    group: "Timeline",
  },
  { id: "nextSwitch", keys: ["."], shown: ["."], does: "next change of roles", group: "Timeline" },
  { id: "gate", keys: ["g"], shown: ["g"], does: "colour commits by what released them", group: "Timeline" },
  {
    id: "stageRow",
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    shown: ["1", "to", "9"],
    does: "choose a stage",
    group: "Distribution",
  },
  { id: "previousStage", keys: ["ArrowUp"], shown: ["↑"], does: "previous stage", group: "Distribution" },
  { id: "nextStage", keys: ["ArrowDown"], shown: ["↓"], does: "next stage", group: "Distribution" },
  {
    id: "waitingRow",
    keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    shown: ["1", "to", "9"],
    does: "choose a log writer or network",
    group: "Waiting and what if",
  },
  {
    id: "previousChange",
    keys: ["ArrowUp"],
    shown: ["↑"],
    does: "previous row or change",
    group: "Waiting and what if",
  },
  {
    id: "nextChange",
    keys: ["ArrowDown"],
    shown: ["↓"],
    does: "next row or change",
    group: "Waiting and what if",
  },
  { id: "nextEvent", keys: ["j", "ArrowDown"], shown: ["J", "↓"], does: "next row", group: "Raw events" },
  {
    id: "previousEvent",
    keys: ["k", "ArrowUp"],
    shown: ["K", "↑"],
    does: "previous row",
    group: "Raw events",
  },
  {
    id: "nextOfBlock",
    keys: ["Shift+J"],
    shown: ["Shift", "J"],
    does: "next event of the same block",
    group: "Raw events",
  },
  {
    id: "previousOfBlock",
    keys: ["Shift+K"],
    shown: ["Shift", "K"],
    does: "previous event of the same block",
    group: "Raw events",
  },
  { id: "timelineAt", keys: ["l"], shown: ["L"], does: "timeline at that instant", group: "Raw events" },
  {
    id: "nextExpectation",
    keys: ["j", "ArrowDown"],
    shown: ["j", "↓"],
    does: "next expectation",
    group: "How this was read",
  },
  {
    id: "previousExpectation",
    keys: ["k", "ArrowUp"],
    shown: ["k", "↑"],
    does: "previous expectation",
    group: "How this was read",
  },
  {
    id: "nextNotMet",
    keys: ["n"],
    shown: ["n"],
    does: "next expectation that isn't met, or only in part",
    group: "How this was read",
  },
  {
    id: "saveReport",
    keys: ["s"],
    shown: ["s"],
    does: "save the report without names",
    group: "How this was read",
  },
  { id: "runSql", keys: ["Ctrl+Enter"], shown: ["Ctrl", "Enter"], does: "run the query", group: "SQL" },
  {
    id: "completeSql",
    keys: ["Ctrl+ "],
    shown: ["Ctrl", "Space"],
    does: "tables, columns and functions that fit",
    group: "SQL",
  },
  { id: "nextResult", keys: ["j", "ArrowDown"], shown: ["j", "↓"], does: "next row", group: "SQL" },
  { id: "previousResult", keys: ["k", "ArrowUp"], shown: ["k", "↑"], does: "previous row", group: "SQL" },
  { id: "openResult", keys: ["Enter"], shown: ["Enter"], does: "open the blocks of a row", group: "SQL" },
  {
    id: "hold",
    keys: [" "],
    shown: ["Space"],
    does: "hold the view, the recording goes on",
    group: "Live",
  },
  {
    id: "keepLast",
    keys: ["k"],
    shown: ["k"],
    does: "keep the last 5 minutes, the recording goes on",
    group: "Live",
  },
  { id: "nextDatabase", keys: ["b"], shown: ["b"], does: "next database", group: "Everywhere" },
  {
    id: "previousDatabase",
    keys: ["Shift+B"],
    shown: ["Shift", "B"],
    does: "previous database",
    group: "Everywhere",
  },
  { id: "mark", keys: ["m"], shown: ["m"], does: "mark this moment", group: "Live" },
  { id: "nextRow", keys: ["j"], shown: ["j"], does: "next capture of the list", group: "List of captures" },
  {
    id: "previousRow",
    keys: ["k"],
    shown: ["k"],
    does: "previous capture of the list",
    group: "List of captures",
  },
  { id: "tickRow", keys: [" "], shown: ["Space"], does: "select or not", group: "List of captures" },
  { id: "trashRow", keys: ["#"], shown: ["#"], does: "move to the trash", group: "List of captures" },
  {
    id: "pauseUpload",
    keys: [" "],
    shown: ["Space"],
    does: "hold an upload, go on with it",
    group: "Captures",
  },
  {
    id: "nextOut",
    keys: ["n"],
    shown: ["n"],
    does: "next capture in which something stands out",
    group: "Fleet",
  },
  { id: "previousOut", keys: ["p"], shown: ["p"], does: "previous one", group: "Fleet" },
  { id: "nextNight", keys: ["ArrowRight", "]"], shown: ["→"], does: "next capture", group: "Fleet" },
  { id: "previousNight", keys: ["ArrowLeft", "["], shown: ["←"], does: "previous capture", group: "Fleet" },
  { id: "openNight", keys: ["Enter"], shown: ["Enter"], does: "open the capture", group: "Fleet" },
  { id: "analyse", keys: ["Enter"], shown: ["Enter"], does: "analyse the files", group: "Captures" },
] as const satisfies readonly KeyEntry[];

export type KeyId = (typeof KEYMAP)[number]["id"];

/** What the pointer does where it is no click on a control; printed under the keys. */
export const POINTER_MOVES = [
  { id: "besideClick", shown: ["Ctrl", "Click"], does: "select a block beside the others, also with Shift" },
  { id: "laneDrag", shown: ["Drag"], does: "a lane by its name: above the others, back to its place" },
  { id: "panDrag", shown: ["Drag"], does: "earlier or later" },
  { id: "selectDrag", shown: ["Shift", "Drag"], does: "select a range" },
  { id: "axisDrag", shown: ["Drag"], does: "select a range, on the axis" },
  { id: "free", shown: ["Alt"], does: "while measuring or selecting, off the edges of bars" },
  { id: "menuClick", shown: ["Right click"], does: "menu of the block, copies time, LSN and row" },
  { id: "wheel", shown: ["Ctrl", "Wheel"], does: "zoom at the pointer" },
  { id: "double", shown: ["Double click"], does: "zoom in, or to the selected range" },
] as const satisfies readonly Pick<KeyEntry, "id" | "shown" | "does">[];
