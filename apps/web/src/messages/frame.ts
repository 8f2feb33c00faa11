/** Texts of the frame of each page. */
export const frameTexts = {
  // App bar
  agLensAllCaptures: "AG Lens, all captures",
  agLens: "AG Lens",
  lightOrDark: "Light or dark",
  status: "Status",
  watches: "Watches",
  signOut: "Sign out",
  userWithRole: (name: string, role: string | null): string => `${name}, ${role ?? "without a role"}`,

  // Copy
  browserDoesNotAllow: "The browser does not allow copying here",
  copy: (label: string): string => `Copy: ${label}`,
  copied: "Copied",
  copyingRefused: "Copying refused",
  copyLabel: "Copy",

  // Keys dialog
  timelineWithThePointer: "Timeline with the pointer",
  keys: "Keys",
  searchKeysAndTasks: "Search keys and tasks",
  keysByTask: "Keys by task",
  to: "to",
  noKeyOrTask: (search: string): string => `No key or task matches “${search}”.`,
  tasksKeys: (shownCount: number): string =>
    `${shownCount} tasks. Keys that this screen doesn't use are gray.`,
  allKeysInHelp: "All keys in help",

  // Lazy screen
  partOfThePage: "A part of the page could not be loaded.",

  // Modal
  close: "Close",

  // Page
  agLensPart: (title: string): string => `${title} · AG Lens`,
  skipToTheContent: "Skip to the content",
  help: "Help",
  allKeys: "All keys",
  keysPart: "keys",
  tryAgain: "Try again",
  allCaptures: "All captures",

  // Page title
  changeNames: (name: string): string => `${name}, change names`,
  changeNamesF2: (name: string): string => `${name}. Change names: F2`,

  // Screen boundary
  thisScreenFailed: "This screen failed.",
  yourCapturesAreNot: (error: string): string =>
    `${error}\nYour captures are not affected. Load the page again; if that does not help, report this sentence with the address.`,
  loadAgain: "Load again",
  serverDoesNotAnswer: "The server does not answer.",
  checkTheNetwork:
    "Check the network. This screen opens automatically as soon as the server answers; the address keeps your view.",
  thisPartOfAg: "This part of AG Lens cannot be loaded.",
  serverDoesNotGive:
    "The server does not give its script, also after the page was loaded again. Ask who runs the server; your captures are not affected.",
  serverHasAnotherVersion: "The server has another version of AG Lens now.",
  thisPartOfAgLens: "This part of AG Lens could not be loaded.",
  thisPageWasOpened:
    "This page was opened before it changed, and the part that you asked for is gone. Load the page again: the address keeps your view.",
  serverAnswersBut:
    "The server answers, but its script did not come. Load the page again: the address keeps your view.",

  // Term tip
  source: (source: string): string => `Source: ${source}`,

  // Times choice
  clockThatTimes: "The clock that times are shown in. Key: t",
  times: (label: string | undefined): string => `Times: ${label}`,
  timesLabel: "Times",
  serversClocksDiffer: (server: string): string =>
    `The servers' clocks differ: this is the clock of ${server}.`,
} as const;
