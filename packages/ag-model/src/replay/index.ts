/**
 * The capture played again: how long blocks waited behind others and were served, and what commits would take with one
 * thing changed.
 */
export { waitingAnswer, whatIfAnswer } from "./answers.ts";
export { changeName, msText } from "./change-text.ts";
export { CHANGE_FORMS, ChangeError, formatChange, parseChange } from "./changes.ts";
export { diskspdFigure } from "./diskspd.ts";
export { predictAll, preparePredictions, prepareReplays } from "./possible-changes.ts";
export { waitingOf, type WaitingRow } from "./waiting.ts";
export { worstRow } from "./worst-row.ts";
export { predict, type Prediction } from "./what-if.ts";
