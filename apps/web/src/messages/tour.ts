/** The tour of the sample: six places that answer where a commit waits, each one step closer. */
export interface TourStep {
  readonly tab: "overview" | "timeline" | "sequence" | "raw-events";
  /** Selector of what the step is about. */
  readonly target: string;
  readonly title: string;
  readonly text: string;
  /** One thing to try; empty for none. */
  readonly attempt: string;
}

export const TOUR: readonly TourStep[] = [
  {
    tab: "overview",
    target: 'section[aria-label="Verdict"]',
    title: "The verdict",
    text: "It names the slow stage, its replica, and the period. The figures below it carry the sentence.",
    attempt: "“How to check” opens the T-SQL and the counters for this cause.",
  },
  {
    tab: "overview",
    target: '[role="img"][aria-label="Commit latency"]',
    title: "When commits waited",
    text: "Each dot is one commit. The marked period is where the network was slow.",
    attempt: "Drag over the chart to zoom. 0 shows the complete capture again.",
  },
  {
    tab: "overview",
    target: '[role="img"][aria-label="Share of remote harden by stage"]',
    title: "Where the time goes",
    text: "Each column shows the stages of remote harden time. In the slow period, the network takes most of it.",
    attempt: "Rest on a stage's name for its definition and its source event.",
  },
  {
    tab: "timeline",
    target: '[data-tour="timeline"]',
    title: "Every log block in time",
    text: "One lane per stage and replica, all on the primary's clock. The length of a bar is its duration.",
    attempt: "Press n for the next slow block, W and S to zoom.",
  },
  {
    tab: "sequence",
    target: '[data-tour="sequence"]',
    title: "One log block, to scale",
    text: "The path of one log block from the primary to the secondary and back, with every stage.",
    attempt: "Press [ and ] for the blocks before and after it.",
  },
  {
    tab: "raw-events",
    target: '[role="grid"]',
    title: "The events behind it",
    text: "Every figure comes from these Extended Events. A row shows its file and its position in the file.",
    attempt: "Record your own servers with the capture guide.",
  },
];
