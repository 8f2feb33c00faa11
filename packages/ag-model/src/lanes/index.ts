/** The lanes of a log block's path: keys, labels, headings, anchors and limits. */
export * from "./lanes.ts";
