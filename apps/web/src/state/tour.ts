const KEY = "ag-lens.tour";

/** Whether this browser was shown the tour of the sample: it is offered once. Without storage it is not offered. */
export function isTourOver(): boolean {
  try {
    return window.localStorage.getItem(KEY) !== null;
  } catch {
    return true;
  }
}

/** The tour was left, or its last step was read. */
export function endTour(): void {
  try {
    window.localStorage.setItem(KEY, "over");
  } catch {
    // Without storage it is never offered.
  }
}
