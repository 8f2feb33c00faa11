/** Texts of controls. */
export const uiTexts = {
  // Folded rows
  hideThem: "Hide them",
  showThem: "Show them",

  // Words
  localTime: "Local time",

  // Zone
  localTimePart: "local time",
  utc: "UTC",
} as const;
