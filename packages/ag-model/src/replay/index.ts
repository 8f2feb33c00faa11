/** Replays the capture: how long blocks waited for others and were served, and the commit latency after one change. */
export { waitingAnswer, whatIfAnswer } from "./answers.ts";
export { changeName, msText } from "./change-text.ts";
export { CHANGE_FORMS, ChangeError, formatChange, parseChange } from "./changes.ts";
export { predictAll, preparePredictions, prepareReplays } from "./possible-changes.ts";
export { waitingOf, type WaitingRow } from "./waiting.ts";
export { worstRow } from "./worst-row.ts";
export { predict, type Prediction } from "./what-if.ts";
