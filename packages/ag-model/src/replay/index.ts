/**
 * The capture played again: how long blocks waited behind others and were served, and what commits would take with one
 * thing changed.
 */
export {
  CHANGE_FORMS,
  ChangeError,
  formatChange,
  parseChange,
  type Change,
  type WriteFigure,
} from "./changes.ts";
export { predict, type Prediction } from "./what-if.ts";
