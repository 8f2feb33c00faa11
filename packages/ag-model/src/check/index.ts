/** Whether a capture is as the model expects (docs/evidence.md). */
export { checkCapture, checkFiles, distrustOf } from "./check.ts";
export { isOverwrittenGuid } from "./columns.ts";
export { EXPECTATION_GROUPS, EXPECTATIONS, type CaptureCheck, type ExpectationId } from "./expectation.ts";
export { checkReport } from "./report.ts";
